import { useMutation } from '@apollo/client/react';
import { type FormEvent, useState } from 'react';
import { isUnanswered, sentence } from '../apollo/errors';
import { type FragmentType, graphql, readFragment } from '../gql';
import { Dialog } from './dialog';
import { errorOf, Field, otherErrors } from './field';
import { notify } from './notices';
import { Problem } from './problem';

const EditName_user = graphql(`
  fragment EditName_user on User {
    id
    name
    version
  }
`);

const Rename = graphql(`
  mutation Rename($input: UpdateUserInput!) {
    updateUser(input: $input) {
      user {
        id
        ...EditName_user
      }
      userErrors {
        field
        message
        code
      }
    }
  }
`);

type Props = { user: FragmentType<typeof EditName_user> };

/** A button that opens a dialog. */
export function EditName({ user }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button className="button quiet" onClick={() => setIsOpen(true)}>
        Edit name
      </button>
      {isOpen && <NameDialog user={user} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/**
 * The version that was read when the dialog was opened goes with the change. If the name has been changed elsewhere
 * since, nothing is written, and the response has the user as it is now: one decides which of both names remains.
 */
function NameDialog({ user, onClose }: Props & { onClose: () => void }) {
  const current = readFragment(EditName_user, user);
  const [name, setName] = useState(current.name);
  const [based, setBased] = useState(current.version);
  const [rename, { data, error, loading }] = useMutation(Rename);
  const errors = data?.updateUser?.userErrors ?? [];
  const hasConflict = errors.some(({ code }) => code === 'CONFLICT');

  async function submit(event: FormEvent) {
    event.preventDefault();
    const { data } = await rename({ variables: { input: { name, version: based } } }).catch(() => ({
      data: undefined,
    }));
    const payload = data?.updateUser;
    if (!payload) return; // the hook has the error
    if (payload.userErrors.length === 0) {
      notify({ text: 'Your name is saved.' });
      onClose();
    } else if (payload.user) {
      setBased(readFragment(EditName_user, payload.user).version);
    }
  }

  return (
    <Dialog title="Edit name" onClose={onClose}>
      <form noValidate onSubmit={submit}>
        {hasConflict && (
          <Problem title="It was changed elsewhere">The name is “{current.name}” now. Keep it, or save yours.</Problem>
        )}
        <Field
          label="Name"
          hint="What others see: up to 100 characters."
          value={name}
          autoComplete="name"
          onChange={(event) => setName(event.target.value)}
          error={errorOf(errors, 'name')}
        />
        {!hasConflict && otherErrors(errors, ['name']).map((message) => <Problem key={message} title={message} />)}
        {error && (
          <Problem title="The name was not saved">
            {isUnanswered(error)
              ? 'The shop did not answer, so it may be saved all the same. Save it again to be sure.'
              : sentence(error)}
          </Problem>
        )}
        <div className="actions">
          <button className="button" disabled={loading}>
            {loading ? 'Saving …' : hasConflict ? 'Save mine' : 'Save'}
          </button>
          <button type="button" className="button quiet" onClick={onClose}>
            {hasConflict ? 'Keep theirs' : 'Cancel'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
