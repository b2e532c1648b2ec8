// Highlights what a pattern reads, and what an item is read by. Everything else of the page works without it.
(() => {
  const root = document.documentElement;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const words = (element, name) => (element.dataset[name] ?? '').split(' ').filter(Boolean);
  const rows = all('[data-by]');
  const patterns = all('[data-pattern]');
  const bar = document.querySelector('.chosen');
  const said = bar.querySelector('.said');
  const first = bar.querySelector('.first');
  const picture = document.getElementById('picture');

  /** Marks the patterns and items of a choice; the text says the same. */
  function show({ reads = () => false, isPattern = () => false, chosen, text, to }) {
    for (const row of rows) {
      row.classList.toggle('read', reads(row));
      row.classList.toggle('current', row === chosen);
    }
    for (const pattern of patterns) {
      pattern.classList.toggle('reads', isPattern(pattern.dataset.pattern));
      const link = pattern.matches('a') ? pattern : pattern.querySelector('a');
      if (chosen === pattern.dataset.pattern) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    root.classList.toggle('choosing', Boolean(text));
    bar.hidden = !text;
    said.textContent = text ?? '';
    first.hidden = !to;
    if (to) first.href = `#${to.id}`;
  }

  const count = (n, one, many) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

  function choosePattern(name) {
    const read = rows.filter((row) => words(row, 'in').includes(name));
    const { condition } = patterns.find((pattern) => pattern.dataset.pattern === name && pattern.dataset.condition).dataset;
    show({
      reads: (row) => read.includes(row),
      isPattern: (other) => other === name,
      chosen: name,
      text: `${name} reads ${count(read.length, 'item', 'items')} of the picture: ${condition}`,
      to: read[0],
    });
  }

  function chooseItem(row) {
    const by = words(row, 'by');
    show({
      isPattern: (name) => by.includes(name),
      chosen: row,
      text: by.length > 0 ? `Items like this one are read by ${by.join(', ')}` : 'No field reads such items.',
    });
  }

  function choose(id) {
    const row = rows.find((one) => one.id === id);
    if (row) chooseItem(row);
    else if (patterns.some((pattern) => pattern.dataset.pattern === id)) choosePattern(id);
    else show({});
  }

  /** Chooses what the address has, which leads to the picture. */
  function fromURL() {
    const id = decodeURIComponent(location.hash.slice(1));
    choose(id);
    if (!bar.hidden) (document.querySelector('.item.read, .item.current') ?? picture).scrollIntoView({ block: 'center' });
  }

  // The address has the choice, so that it can be sent to others; the page stays where it is.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-choose]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const id = link.getAttribute('href').slice(1);
    history.replaceState(null, '', `#${id}`);
    choose(decodeURIComponent(id));
    // From the tables, the choice leads to the picture.
    if (!link.closest('.board')) (document.querySelector('.item.read a') ?? picture).focus();
  });

  function clear() {
    history.replaceState(null, '', location.pathname + location.search);
    show({});
  }
  bar.querySelector('.clear').addEventListener('click', clear);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') clear();
  });
  addEventListener('hashchange', () => {
    // The link to the first item leads there, and the choice stays.
    if (!rows.some((row) => `#${row.id}` === location.hash && row.classList.contains('read'))) fromURL();
  });

  // The browser has scrolled to what the address names by then.
  addEventListener('load', fromURL);
})();
