// The gateway writes its settings into the page as inert JSON, so that the page needs no inline script.
export const settings = JSON.parse(document.getElementById('settings').textContent);
