// The playground: the operations, the editor above the answer, and beside them the plan, the documentation or the
// history. The panes can be moved, and keep their sizes; on a narrow screen one of them is seen at a time.
import { useEffect, useRef, useState } from 'react';
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { Answer } from './answer.jsx';
import { Changes } from './changes.jsx';
import { Editor } from './editor.jsx';
import { useScheme } from './looks.js';
import { Operations } from './operations.jsx';
import { settings } from './settings.js';
import { Side } from './side.jsx';
import { SignedIn } from './signedin.jsx';
import { Absence } from './ui/absence.jsx';
import { gateway } from './ui/alive.js';
import { Bar } from './ui/bar.jsx';

const views = { operations: 'Operations', editor: 'Editor', answer: 'Answer', side: 'Plan' };

export function Page() {
  const [view, setView] = useState('editor');
  const isFetching = useGraphiQL((state) => state.isFetching);
  useScheme();
  useReturn();
  useEffect(() => {
    if (isFetching) setView('answer');
  }, [isFetching]);
  return (
    <div className="graphiql-container page" data-view={view}>
      <Bar current="playground" skip={['editor', 'operation']}>
        <SignedIn />
      </Bar>
      <Absence />
      <nav className="views" aria-label="Parts of this page">
        {Object.entries(views).map(([name, title]) => (
          <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name)}>
            {title}
          </button>
        ))}
      </nav>
      <Panes edit={() => setView('editor')} />
      {settings.changes && <Changes url={settings.changes} />}
    </div>
  );
}

function Panes({ edit }) {
  const columns = useDefaultLayout({ id: 'partita:columns' });
  return (
    <main className="panes">
      <Group orientation="horizontal" {...columns}>
        <Panel id="operations" defaultSize={176} minSize={110} collapsible groupResizeBehavior="preserve-pixel-size">
          <Operations edit={edit} />
        </Panel>
        <Separator aria-label="Width of the operations" />
        <Panel id="work" minSize={260}>
          <Work />
        </Panel>
        <Separator aria-label="Width of the editor" />
        <Panel id="side" defaultSize="50%" minSize={220} collapsible>
          <Side />
        </Panel>
      </Group>
    </main>
  );
}

const closed = 38; // pixels: the heading of a closed pane

/** The editor, and the answer as far as there is one. */
function Work() {
  const rows = useDefaultLayout({ id: 'partita:rows', onlySaveAfterUserInteractions: true });
  const panel = useRef(null);
  const answers = useAnswers();
  useEffect(() => {
    if (answers) panel.current?.expand();
    else panel.current?.collapse();
  }, [answers]);
  return (
    <Group orientation="vertical" {...rows}>
      <Panel id="editor" minSize={120}>
        <Editor />
      </Panel>
      <Separator aria-label="Height of the answer" />
      <Panel id="answer" panelRef={panel} defaultSize="42%" minSize={120} collapsible collapsedSize={closed}>
        <Answer has={answers} />
      </Panel>
    </Group>
  );
}

/** Whether the operation in the editor has an answer, or waits for one. */
function useAnswers() {
  return useGraphiQL(
    ({ isFetching, tabs, activeTabIndex, fetchError, validationErrors }) =>
      isFetching || Boolean(tabs[activeTabIndex]?.response || fetchError || validationErrors.length),
  );
}

/** Loads the schema again when the gateway is back: it may be another one. */
function useReturn() {
  const { introspect } = useGraphiQLActions();
  useEffect(() => gateway.subscribe(() => gateway.get() === 'here' && introspect()), [introspect]);
}
