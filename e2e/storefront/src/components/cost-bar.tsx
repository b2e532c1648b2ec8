import { type Cost, useCosts } from '../apollo/cost';

const sum = (costs: readonly Cost[], key: Exclude<keyof Cost, 'operation'>) =>
  costs.reduce((total, cost) => total + cost[key], 0);

/** What the operations of this page have cost, by extensions.cost. */
export function CostBar() {
  const costs = useCosts();
  const written = sum(costs, 'writeUnits');
  return (
    <footer className="costs" aria-label="Cost of this page">
      <details>
        <summary>
          <Figure
            name="Read units"
            value={sum(costs, 'readUnits')}
            note={`of at most ${sum(costs, 'estimatedReadUnits')}`}
          />
          {written > 0 && <Figure name="Write units" value={written} />}
          <Figure name="DynamoDB requests" value={sum(costs, 'requests')} />
          <Figure name="Waves" value={sum(costs, 'waves')} />
        </summary>
        <div className="scroll" tabIndex={0} role="region" aria-label="Cost of each operation">
          <table>
            <thead>
              <tr>
                <th scope="col">Operation</th>
                <th scope="col">Read units</th>
                <th scope="col">At most</th>
                <th scope="col">Write units</th>
                <th scope="col">Requests</th>
                <th scope="col">Waves</th>
              </tr>
            </thead>
            <tbody>
              {costs.map((cost, index) => (
                <tr key={index}>
                  <th scope="row">{cost.operation}</th>
                  <td>{cost.readUnits}</td>
                  <td>{cost.estimatedReadUnits}</td>
                  <td>{cost.writeUnits}</td>
                  <td>{cost.requests}</td>
                  <td>{cost.waves}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </footer>
  );
}

const Figure = ({ name, value, note }: { name: string; value: number; note?: string }) => (
  <span>
    {name} <b>{value}</b> {note}
  </span>
);
