const days = new Intl.DateTimeFormat('en', { dateStyle: 'long' });
const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

export const day = (time: string) => days.format(new Date(time));
export const moment = (time: string) => moments.format(new Date(time));

/** An amount in minor units, of which most currencies have two digits, some none and some three. */
export function money({ amount, currency }: { amount: number; currency: string }) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
