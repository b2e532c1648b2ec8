const paths = {
  alert: 'M12 8v5M12 16.5v.01M10.3 4.2 2.9 17a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0Z',
  back: 'M15 6l-6 6 6 6',
  beans:
    'M8 4c4 0 6 3 6 7s-2 7-5 7-6-3-6-7 2-7 5-7ZM9 4c-2 4 2 9-1 14M16 9c3 0 5 2 5 6s-2 6-4 6c-2 0-3-1-4-2M17 9c-1 4 2 8-1 12',
  biscuit: 'M12 3a9 9 0 1 0 9 9 4 4 0 0 1-4-4 4 4 0 0 1-5-5ZM8.5 9v.01M8 15v.01M13 13v.01M14.5 17v.01',
  cup: 'M5 9h12v5a5 5 0 0 1-5 5h-2a5 5 0 0 1-5-5ZM17 10h1.5a2.5 2.5 0 0 1 0 5H17M8 6V4M12 6V4M4 21h14',
  filter: 'M4 6h16l-5 13H9ZM7.5 15h9',
  grinder: 'M8 11h8l1.5 9h-11ZM9 11V8h6v3M12 8V4h6M18 4v2',
  honey: 'M7 8h10l1 3v7a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-7ZM8 4h8v4H8ZM6 13h12',
  kettle: 'M6 12a6 6 0 0 1 11 0l1 7H6ZM11.5 9V6.5M9 6.5h5M17 13l4-4M6 12c-2-3-1-6 2-7',
  leaf: 'M5 19c0-9 5-14 15-14 0 9-4 14-11 14-2 0-3-1-4-3M5 21c2-6 5-9 10-11',
  press: 'M7 8h9v12H7ZM16 11h2a2 2 0 0 1 0 5h-2M11.5 8V3M9 3h5M7 13h9',
  scale: 'M4 9h16v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2ZM4 9l2-4h12l2 4M9 15h6',
  sugar: 'M4 13l6-3 6 3v6l-6 3-6-3ZM4 13l6 3 6-3M10 16v6M12 6l4-2 4 2v4l-4 2-4-2Z',
  check: 'M5 13l4 4L19 7',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
