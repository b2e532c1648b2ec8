import { type InputHTMLAttributes, useId } from 'react';

type Props = InputHTMLAttributes<HTMLInputElement> & { label: string; hint?: string; error?: string };

/** A labelled input with its hint and its error, which screen readers read together. */
export function Field({ label, hint, error, ...input }: Props) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && <small id={`${id}-hint`}>{hint}</small>}
      <input id={id} aria-invalid={error ? true : undefined} aria-describedby={described || undefined} {...input} />
      {error && (
        <p className="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

type UserError = { field?: string | null; message: string };

/** The message about a field of the input, if there is one. */
export const errorOf = (errors: readonly UserError[], field: string) =>
  errors.find((error) => error.field === field)?.message;

/** The messages about no field of the form. */
export const otherErrors = (errors: readonly UserError[], fields: readonly string[]) =>
  errors.filter(({ field }) => !field || !fields.includes(field)).map(({ message }) => message);
