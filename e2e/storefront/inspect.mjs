// Functions that run in a page, and find what some people could not use.

/** Texts with a contrast below 4.5 (3 if large), as WCAG 2.2 computes it, unless they are hidden or disabled. */
export function lowContrast() {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const channels = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const background = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = channels(getComputedStyle(e).backgroundColor);
      if (color[3] === 255) return color;
    }
    return channels(getComputedStyle(document.body).backgroundColor);
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const isEnabled = !element.closest('[aria-disabled=true], :disabled, noscript, .hidden');
    if (!texts.currentNode.data.trim() || !isEnabled || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const [text, behind] = [channels(style.color), background(element)].map(luminance);
    const ratio = (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${texts.currentNode.data.trim()}: ${ratio.toFixed(2)}`);
  }
  return found;
}

/** Controls without a name, ids that are there twice, and references to ids that are not there. */
export function unnamed() {
  const found = [];
  for (const control of document.querySelectorAll('a[href], button, input, [role=button], dialog')) {
    const labels = [
      control.getAttribute('aria-label'),
      ...(control.getAttribute('aria-labelledby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent),
      ...[...(control.labels ?? [])].map((label) => label.textContent),
      control.matches('a, button') ? control.textContent : '',
    ];
    if (!labels.some((label) => label?.trim())) found.push(control.outerHTML.slice(0, 100));
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  found.push(...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `#${id} is there twice`));
  for (const attribute of ['aria-labelledby', 'aria-describedby', 'for']) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      const missing = element
        .getAttribute(attribute)
        .split(' ')
        .filter((id) => !document.getElementById(id));
      found.push(...missing.map((id) => `${attribute} names #${id}, which is not there`));
    }
  }
  return found;
}
