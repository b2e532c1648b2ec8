// Beside the editor: the plan, the documentation of the schema, or the history of what was run.
import { pick, useGraphiQL, useGraphiQLActions } from '@graphiql/react';

export function Side() {
  const { plugins, visiblePlugin } = useGraphiQL(pick('plugins', 'visiblePlugin'));
  const { setVisiblePlugin } = useGraphiQLActions();
  const shown = visiblePlugin ?? plugins[0];
  const { content: Content } = shown;
  return (
    <div className="side">
      <div className="side-names" role="group" aria-label="Beside the editor">
        {plugins.map((plugin) => (
          <button key={plugin.title} type="button" aria-pressed={plugin === shown} onClick={() => setVisiblePlugin(plugin)}>
            {plugin.title}
          </button>
        ))}
      </div>
      <div className="graphiql-plugin">
        <Content />
      </div>
    </div>
  );
}
