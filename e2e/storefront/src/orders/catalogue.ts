import type { IconName } from '../components/icon';

export type Product = { sku: string; name: string; price: number; icon: IconName };

export const currency = 'EUR';

/** What the shop sells, with prices in cents. The gateway has no catalogue: names and prices go with an order. */
export const shelves: { name: string; products: Product[] }[] = [
  {
    name: 'Tea',
    products: [
      { sku: 'TEA-001', name: 'Green tea, 100 g', price: 690, icon: 'leaf' },
      { sku: 'TEA-002', name: 'Black tea, 100 g', price: 590, icon: 'leaf' },
      { sku: 'TEA-003', name: 'Mint tea, 50 g', price: 450, icon: 'leaf' },
      { sku: 'TEA-004', name: 'Oolong, 50 g', price: 1290, icon: 'leaf' },
    ],
  },
  {
    name: 'Coffee',
    products: [
      { sku: 'COF-001', name: 'Espresso beans, 500 g', price: 1490, icon: 'beans' },
      { sku: 'COF-002', name: 'Filter beans, 500 g', price: 1390, icon: 'beans' },
      { sku: 'COF-003', name: 'Decaf beans, 250 g', price: 890, icon: 'beans' },
      { sku: 'FIL-001', name: 'Paper filters, 100', price: 490, icon: 'filter' },
    ],
  },
  {
    name: 'For the table',
    products: [
      { sku: 'CUP-001', name: 'Porcelain cup', price: 1250, icon: 'cup' },
      { sku: 'POT-001', name: 'Teapot, 1 l', price: 3490, icon: 'kettle' },
      { sku: 'POT-003', name: 'French press', price: 2990, icon: 'press' },
      { sku: 'KET-001', name: 'Gooseneck kettle', price: 6990, icon: 'kettle' },
      { sku: 'GRI-001', name: 'Hand grinder', price: 7990, icon: 'grinder' },
      { sku: 'HON-001', name: 'Forest honey, 250 g', price: 790, icon: 'honey' },
      { sku: 'SUG-001', name: 'Rock sugar, 500 g', price: 390, icon: 'sugar' },
      { sku: 'BIS-001', name: 'Almond biscuits', price: 550, icon: 'biscuit' },
    ],
  },
];

export const products = shelves.flatMap(({ products }) => products);

const icons: Record<string, IconName> = {
  SCA: 'scale',
  ...Object.fromEntries(products.map(({ sku, icon }) => [sku.slice(0, 3), icon])),
};

export const iconOf = (sku: string): IconName => icons[sku.slice(0, 3)] ?? 'cup';
