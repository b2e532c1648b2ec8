import { Link } from 'react-router';
import { Empty } from '../components/problem';
import { Title } from '../components/title';

export function NotFound({ what }: { what: string }) {
  return (
    <>
      <Title text={`There is no such ${what}`} />
      <Empty title="Nothing is here.">
        The address may be wrong. <Link to="/">Go to the beginning</Link>
      </Empty>
    </>
  );
}
