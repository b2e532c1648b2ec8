// The colour scheme of a page that is one file: that of the other pages, see theme.js.
(() => {
  const root = document.documentElement;
  const key = 'partita:theme';
  const scheme = document.querySelector('.scheme');
  let kept = '';
  try {
    kept = localStorage.getItem(key) ?? '';
  } catch {
    // A file may have no storage.
  }
  const apply = (name) => {
    root.dataset.theme = name;
  };
  apply(kept);
  scheme.value = kept;
  scheme.hidden = false;
  scheme.addEventListener('change', () => {
    apply(scheme.value);
    try {
      if (scheme.value) localStorage.setItem(key, scheme.value);
      else localStorage.removeItem(key);
    } catch {
      // It is not kept.
    }
  });
})();
