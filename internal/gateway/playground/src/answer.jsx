// What the gateway has answered.
import { KEY_MAP, ResponseEditor, useGraphiQL } from '@graphiql/react';

export function Answer({ has }) {
  const isFetching = useGraphiQL((state) => state.isFetching);
  return (
    <section className="answer" aria-label="Answer" aria-busy={isFetching}>
      <h2>
        Answer{' '}
        <small>
          {isFetching && 'Waiting …'}
          {!has && `Run the operation: ${KEY_MAP.runQuery.key}`}
        </small>
      </h2>
      <div className="answer-text">
        <ResponseEditor />
      </div>
    </section>
  );
}
