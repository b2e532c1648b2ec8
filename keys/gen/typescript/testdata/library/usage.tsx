// What clients do with the generated module. A line below @ts-expect-error must not compile.
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { useFragment, useMutation, useQuery, useSubscription } from '@apollo/client/react';
import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core';
import {
  type AddBookInput,
  AddBookDocument,
  BookChangedDocument,
  BookDocument,
  type BookLineFragment,
  BookLineFragmentDoc,
  type BookQuery,
  type CreditsFragment,
  type Genre,
  NodesDocument,
  SearchDocument,
  type SearchFilter,
  type SearchQuery,
  ShelvesDocument,
} from './library.ts';

const client = new ApolloClient({ link: new HttpLink({ uri: '/graphql' }), cache: new InMemoryCache() });

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const are = <T extends true>(value?: T) => value;

are<Equal<VariablesOf<typeof BookDocument>, { id: string; withAuthor?: boolean | null }>>();
are<Equal<ResultOf<typeof ShelvesDocument>, { shelves: (BookLineFragment[] | null)[] | null }>>();
// @ts-expect-error it is not any type
are<Equal<ResultOf<typeof ShelvesDocument>, { shelves: BookLineFragment[] | null }>>();

type Line = NonNullable<BookQuery['book']>;
are<Equal<Line['genre'], 'NOVEL' | 'SCIENCE_FICTION'>>();
are<Equal<Line['moods'], Genre[] | null>>();
are<Equal<Line['tags'], (string | null)[] | null>>();
are<Equal<Line['copies'], string | null>>();
are<Equal<Line['weight'], number | null>>();
are<Equal<Line['isLent'], boolean>>();
are<Equal<Line['since'], string>>();
are<Equal<Line['extra'], unknown>>();
are<{} extends Pick<Line, 'author'> ? true : false>();
// @ts-expect-error a field without @include or @skip is there
are<{} extends Pick<Line, 'title'> ? true : false>();
are<Equal<Extract<SearchQuery['search'][number], null | undefined>, never>>();

export async function query() {
  const { data } = await client.query({ query: BookDocument, variables: { id: '1' } });
  const title: string | undefined = data?.book?.title;
  // @ts-expect-error null is possible
  const book: BookLineFragment | undefined = data?.book;
  // @ts-expect-error no such field
  data?.book?.shelf;
  // @ts-expect-error the field is there only with withAuthor
  data?.book?.author.name;
  // @ts-expect-error the variables lack id
  await client.query({ query: BookDocument, variables: {} });
  // @ts-expect-error the variables are missing
  await client.query({ query: BookDocument });
  // @ts-expect-error an id is text
  await client.query({ query: BookDocument, variables: { id: 1 } });
  // @ts-expect-error no such variable
  await client.query({ query: BookDocument, variables: { id: '1', first: 1 } });
  await client.query({ query: ShelvesDocument });
  // @ts-expect-error the operation has no variables
  await client.query({ query: ShelvesDocument, variables: { id: '1' } });
  return { title, book };
}

export async function variables() {
  await client.query({ query: SearchDocument, variables: { text: 'a' } });
  await client.query({ query: SearchDocument, variables: { text: 'a', first: 5, filter: { genre: 'NOVEL' } } });
  // @ts-expect-error a variable with a default can be left out, but not be null
  await client.query({ query: SearchDocument, variables: { text: 'a', first: null } });
  // @ts-expect-error no such value
  const unknown: SearchFilter = { genre: 'POEM' };
  // @ts-expect-error a value has exactly one field
  const both: SearchFilter = { genre: 'NOVEL', author: '1' };
  // @ts-expect-error a value has exactly one field
  const neither: SearchFilter = {};
  const input: AddBookInput = { title: 'Emma', tags: ['a'], price: { amount: '1', currency: 'EUR', of: null } };
  // @ts-expect-error genre has a default, but cannot be null
  const without: AddBookInput = { title: 'Emma', genre: null };
  // @ts-expect-error an element cannot be null
  const tags: AddBookInput = { title: 'Emma', tags: [null] };
  // @ts-expect-error an Int64 is text
  const price: AddBookInput = { title: 'Emma', price: { amount: 1, currency: 'EUR' } };
  // @ts-expect-error no such field
  const misspelt: AddBookInput = { title: 'Emma', gerne: 'NOVEL' };
  const { data } = await client.mutate({ mutation: AddBookDocument, variables: { input } });
  const code: 'INVALID' | 'CONFLICT' | undefined = data?.addBook?.userErrors[0]?.code;
  return { code, unknown, both, neither, without, tags, price, misspelt };
}

/** A shape has the fields of its types alone. */
export function describe(found: SearchQuery['search'][number]): string {
  switch (found.__typename) {
    case 'Author':
      // @ts-expect-error an author has no title
      found.title;
      return `${found.name}, ${found.books.length}`;
    case 'Film':
      // @ts-expect-error a film has no author
      found.author;
      return `${found.title}, ${found.minutes}, ${found.id}`;
    case 'Book':
      return `${found.title}, ${found.author?.name}`;
    // @ts-expect-error no such type
    case 'Shelf':
      return '';
  }
}

export async function narrow() {
  const { data } = await client.query({ query: NodesDocument, variables: { ids: [] } });
  const node = data?.nodes[0];
  // @ts-expect-error an author has no title
  node?.title;
  return node?.kind === 'Author' ? node.id : node?.title;
}

function Title({ book }: { book: BookLineFragment }) {
  return <b>{book.title}</b>;
}

function Credits({ work }: { work: CreditsFragment }) {
  return <i>{work.__typename === 'Film' ? work.minutes : work.author?.name}</i>;
}

/** An object that a query has fits the fragments that it uses. */
export function Page({ id }: { id: string }) {
  const { data } = useQuery(BookDocument, { variables: { id, withAuthor: true } });
  const search = useQuery(SearchDocument, { variables: { text: 'a' } });
  const [add] = useMutation(AddBookDocument);
  const changed = useSubscription(BookChangedDocument, { variables: { id } });
  const cached = useFragment({ fragment: BookLineFragmentDoc, from: { __typename: 'Book', id } });
  // @ts-expect-error the variables are missing
  useQuery(BookDocument);
  // @ts-expect-error an id is text
  useQuery(BookDocument, { variables: { id: 1 } });
  useQuery(ShelvesDocument);
  const first = search.data?.search[0];
  return (
    <div onClick={() => add({ variables: { input: { title: 'Emma' } } })}>
      {data?.book && <Title book={data.book} />}
      {changed.data?.book && <Title book={changed.data.book} />}
      {cached.complete && <Title book={cached.data} />}
      {first && first.__typename !== 'Author' && <Credits work={first} />}
      {/* @ts-expect-error an author has no credits */}
      {first?.__typename === 'Author' && <Credits work={first} />}
      {data?.book?.author?.books.map((book) => <p>{book.title}</p>)}
    </div>
  );
}

export const untyped = gql`{ __typename }`;
