// Items in DynamoDB's JSON.

/** Whether all values that are shown of an item are whole. */
export const isWhole = ({ attributes }) => !attributes.some(({ cut }) => cut);

/** An item as it is stored, but for the tenant. */
export const storedItem = ({ attributes }) => Object.fromEntries(attributes.map((attribute) => [attribute.name, stored(attribute)]));

function stored({ type, value }) {
  switch (type) {
    case 'BOOL':
      return { BOOL: value === 'true' };
    case 'NULL':
      return { NULL: true };
    case 'S':
    case 'N':
    case 'B':
      return { [type]: value };
    default:
      return { [type]: JSON.parse(value) };
  }
}
