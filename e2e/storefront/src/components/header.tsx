import { Link, NavLink, useNavigate } from 'react-router';
import { config } from '../config';
import { signOut, useSession } from '../session';
import { Icon } from './icon';
import { Portrait } from './person';

export function Header() {
  const session = useSession();
  const navigate = useNavigate();
  return (
    <header className="top">
      <Link className="brand" to="/">
        <Icon name="cup" />
        Kettle &amp; Key
      </Link>
      <nav aria-label="Shop">
        {session && <NavLink to="/orders/new">New order</NavLink>}
        {session?.isStaff && <NavLink to="/pending">Pending orders</NavLink>}
        <NavLink to={`/users/${config.host}`}>Ada’s corner</NavLink>
      </nav>
      {session ? (
        <div className="who">
          <Link to={`/users/${session.userId}`}>
            <Portrait name={session.name} />
            <span>{session.name}</span>
          </Link>
          <button
            className="button quiet small"
            onClick={() => {
              signOut();
              void navigate('/sign-in');
            }}
          >
            Sign out
          </button>
        </div>
      ) : (
        <Link className="button small" to="/sign-in">
          Sign in
        </Link>
      )}
    </header>
  );
}
