// The items of a collection as a table. If they are of one type, its attributes are the columns; otherwise each row has a few.
import { useContext } from 'react';
import { useColumns } from './columns.js';
import { Item } from './item.jsx';
import { Page } from './key.jsx';

export function Items({ place, items, base, isWanted }) {
  const { design } = useContext(Page);
  const columns = useColumns(items);
  const sk = design.indexes.find(({ name }) => name === place.index)?.sk;
  return (
    <table className="items" aria-label="Items">
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">{sk || 'Key'}</th>
          {columns ? (
            columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))
          ) : (
            <th scope="col">Attributes</th>
          )}
          <th scope="col">Size</th>
        </tr>
      </thead>
      {items.map((item) => (
        <Item
          key={`${item.pk.text}\n${item.sk.text}`}
          {...{ item, columns }}
          index={place.index}
          isBase={item === base}
          wanted={isWanted(item)}
        />
      ))}
    </table>
  );
}
