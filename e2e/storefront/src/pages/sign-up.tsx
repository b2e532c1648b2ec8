import { useMutation } from '@apollo/client/react';
import type { FormEvent } from 'react';
import { sentence } from '../apollo/errors';
import { errorOf, Field, otherErrors } from '../components/field';
import { Problem } from '../components/problem';
import { graphql } from '../gql';

const OpenAccount = graphql(`
  mutation OpenAccount($input: CreateUserInput!) {
    createUser(input: $input) {
      user {
        id
        name
      }
      userErrors {
        field
        message
        code
      }
    }
  }
`);

/** Opens an account. What is wrong with the input is said by the gateway, at the field that it is about. */
export function SignUp({ onOpened }: { onOpened: (user: { id: string; name: string }) => void }) {
  const [open, { data, error, loading }] = useMutation(OpenAccount);
  const errors = data?.createUser.userErrors ?? [];

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = { name: String(form.get('name')), email: String(form.get('email')) };
    const { data } = await open({ variables: { input } }).catch(() => ({ data: undefined })); // the hook has the error
    if (data?.createUser.user) onOpened(data.createUser.user);
  }

  return (
    <form className="card" noValidate onSubmit={submit}>
      <h2>Open an account</h2>
      <Field label="Name" name="name" autoComplete="name" error={errorOf(errors, 'name')} />
      <Field label="E-mail address" name="email" type="email" autoComplete="email" error={errorOf(errors, 'email')} />
      {otherErrors(errors, ['name', 'email']).map((message) => (
        <Problem key={message} title={message} />
      ))}
      {error && <Problem title="The account was not opened">{sentence(error)}</Problem>}
      <button className="button" disabled={loading}>
        {loading ? 'Opening …' : 'Open an account'}
      </button>
    </form>
  );
}
