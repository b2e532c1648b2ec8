import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { Loaded, Skeleton } from '../components/loaded';
import { count, Portrait } from '../components/person';
import { Title } from '../components/title';
import { config } from '../config';
import { graphql } from '../gql';
import { signIn } from '../session';
import { SignUp } from './sign-up';

const SignIn = graphql(`
  query SignIn($host: ID!, $staff: ID!) {
    user(id: $host) {
      id
      name
      orderCount
      following(first: 5) {
        nodes {
          id
          name
          orderCount
        }
      }
    }
    staff: user(id: $staff) {
      id
      name
    }
  }
`);

export function SignInPage() {
  const result = useQuery(SignIn, { variables: { host: config.host, staff: config.staff } });
  const navigate = useNavigate();
  const [error, setError] = useState<string>();

  function enter({ id, name }: { id: string; name: string }, isStaff = false) {
    signIn({ userId: id, name, isStaff })
      .then(() => navigate(isStaff ? '/pending' : `/users/${id}`))
      .catch((reason: Error) => setError(reason.message));
  }

  return (
    <div className="welcome">
      <section>
        <Title text="Tea, coffee, and what you need for them" />
        <p className="lead">Follow other shoppers, and keep an eye on your orders. Who would you like to be today?</p>
        {error && (
          <p className="error" role="alert">
            {error}
          </p>
        )}
        <Loaded result={result} skeleton={<Skeleton lines={6} className="cards" />}>
          {({ user, staff }) => (
            <>
              <ul className="people" aria-label="Demo users">
                {[user, ...(user?.following?.nodes ?? [])].map(
                  (one) =>
                    one && (
                      <li key={one.id}>
                        <button className="person" onClick={() => enter(one)}>
                          <Portrait name={one.name} />
                          <span>
                            <strong>{one.name}</strong>
                            <small>{count(one.orderCount, 'order')}</small>
                          </span>
                        </button>
                      </li>
                    ),
                )}
              </ul>
              {staff && (
                <p>
                  <button className="button quiet" onClick={() => enter(staff, true)}>
                    Pack and ship orders as {staff.name}
                  </button>
                </p>
              )}
            </>
          )}
        </Loaded>
        <p>
          Or <Link to={`/users/${config.host}`}>look around without signing in</Link>.
        </p>
      </section>
      <SignUp onOpened={enter} />
    </div>
  );
}
