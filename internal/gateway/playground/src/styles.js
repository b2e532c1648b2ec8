// Monaco and GraphiQL add style elements, which the page's Content-Security-Policy allows only with the nonce of this
// visit. Neither has a setting for it. Elements that are added as HTML are not created here, and have no nonce.
import { settings } from './settings.js';

const create = document.createElement.bind(document);

document.createElement = (name, options) => {
  const element = create(name, options);
  if (element instanceof HTMLStyleElement) element.nonce = settings.styleNonce;
  return element;
};
