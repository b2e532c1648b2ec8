// Deliberate defects of the pages and their pictures, as in gateway.mjs.
const page = (file, find, replace) => ({ file: `internal/gateway/playground/${file}`, find, replace });
const design = (file, find, replace) => ({ file: `internal/designpage/${file}`, find, replace });

export const pagesDefects = [
  {
    name: 'a heading with the wrong unit',
    changes: [page('src/picture.jsx', "    count(readUnits, 'read unit'),", "    count(readUnits, 'write unit'),")],
    tests: ['picture'],
    caught: ['the picture is open at the first visit, and has a box for each Read of the explanation'],
  },
  {
    name: 'doubled units in a heading',
    changes: [page('src/picture.jsx', "    count(readUnits, 'read unit'),", "    count(2 * readUnits, 'read unit'),")],
    tests: ['picture'],
    caught: ['the picture is open at the first visit, and has a box for each Read of the explanation'],
  },
  {
    name: 'an arrow in the wrong direction',
    changes: [page('src/picture.jsx', 'const [start, end] = [from, to]', 'const [start, end] = [to, from]')],
    tests: ['picture'],
    caught: ['waves are columns from left to right, and arrows lead to boxes'],
  },
  {
    name: 'a Query that is drawn as a write',
    changes: [page('src/picture.jsx', "['Get', 'Query', 'Resolver'].includes(kind)", "['Get', 'Resolver'].includes(kind)")],
    tests: ['picture'],
    caught: ['the picture looks as it is recorded'],
  },
  {
    name: 'the oldest items behind a descending read',
    changes: [page('src/picture.jsx', "order: descending && 'DESC'", "order: !descending && 'DESC'")],
    tests: ['picture'],
    caught: ['a box whose key is known has a link to its items'],
  },
  {
    name: 'a plan that disappears while an operation is incomplete',
    changes: [page('src/plan.jsx', '{ ...last, ...got, isOutdated: last.plan !== undefined }', 'got')],
    tests: ['picture'],
    caught: ['while an operation is incomplete, its last plan remains, with what is missing'],
  },
  {
    name: "findings without the page's fonts and colours",
    changes: [page('src/changes.jsx', '<div className="changes">', '<div className="changes" style={{ all: \'initial\' }}>')],
    tests: ['watch'],
    caught: ['many findings are read beside the editor and the plan, in both colour schemes'],
  },
  {
    name: 'findings that look like a success',
    changes: [page('src/page.css', 'border-top: 3px solid var(--bad);', 'border-top: 3px solid var(--good);')],
    tests: ['watch'],
    caught: ['many findings are read beside the editor and the plan, in both colour schemes'],
  },
  {
    name: 'text that is too pale',
    changes: [page('src/ui/tokens.css', '--quiet: light-dark(#595c69,', '--quiet: light-dark(#9a9da9,')],
    tests: ['accessibility'],
    caught: ['axe finds nothing serious in the playground (light)'],
  },
  {
    name: 'a page that is heavier than it was',
    changes: [page('build.mjs', '  minify: true,', '  minify: false,')],
    tests: ['weight'],
    caught: ['/ weighs what is recorded'],
  },
  {
    name: 'a design with a wrong reader',
    changes: [design('kinds.go', 'return k.index == "" && k.place == 0 && (len(', 'return (len(')],
    tests: ['design'],
    caught: ['an item has the patterns that read it, and a link has the choice'],
  },
  {
    name: 'a design that says of everything that all may read it',
    changes: [design('patterns.go', 'if len(parts) == 0 {\n\t\treturn contract', 'if len(parts) >= 0 {\n\t\treturn contract')],
    tests: ['design'],
    caught: ['a pattern of the table leads to the picture'],
  },
  {
    name: 'a design that is wider than a phone',
    changes: [design('design.css', '  overflow-x: auto;\n', '')],
    tests: ['design'],
    caught: ['at 390 px in light colours axe finds nothing, and nothing is cut off'],
  },
];
