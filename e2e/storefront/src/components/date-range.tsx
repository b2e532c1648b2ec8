import { useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';

const earliest = '2000-01-01'; // while a year is typed, it is in the first century

/** The days that the address names, as a TimeRange, whose ends are both included. */
export function useDateRange() {
  const [search] = useSearchParams();
  const from = search.get('from') ?? '';
  const to = search.get('to') ?? '';
  return useMemo(() => {
    if (from && to && from > to) return { createdAt: null, problem: 'The first day is after the last one.' };
    const createdAt = from || to ? { from: instant(from, 'T00:00:00.000'), to: instant(to, 'T23:59:59.999') } : null;
    return { createdAt, problem: undefined };
  }, [from, to]);
}

/** A time of a day where the browser is. */
const instant = (day: string, time: string) => (day ? new Date(day + time).toISOString() : null);

export function DateRange() {
  const [search, setSearch] = useSearchParams();
  const { problem } = useDateRange();
  const form = useRef<HTMLFormElement>(null);
  const days = { from: search.get('from') ?? '', to: search.get('to') ?? '' };

  // What is in both inputs: this component may not have been rendered with the last change yet.
  function select() {
    const inputs = [...form.current!.querySelectorAll('input')];
    if (!inputs.every(({ validity }) => validity.valid)) return;
    const next = inputs.filter(({ value }) => value).map(({ name, value }): [string, string] => [name, value]);
    setSearch(next, { replace: true });
  }

  const input = (name: keyof typeof days, label: string) => (
    <label>
      {label}
      <input
        type="date"
        min={earliest}
        defaultValue={days[name]} // uncontrolled, so that what is half typed stays
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem && 'date-problem'}
        name={name}
        onChange={select}
      />
    </label>
  );

  function reset() {
    setSearch({}, { replace: true });
    const inputs = [...form.current!.querySelectorAll('input')];
    inputs.forEach((input) => (input.value = ''));
    inputs[0]?.focus(); // the button is gone
  }

  return (
    <form ref={form} className="range" aria-label="Days" onSubmit={(event) => event.preventDefault()}>
      {input('from', 'From')}
      {input('to', 'To')}
      {(days.from || days.to) && (
        <button type="button" className="button quiet small" onClick={reset}>
          All days
        </button>
      )}
      {problem && (
        <p className="error" id="date-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
