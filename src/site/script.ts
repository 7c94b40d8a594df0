/** The script of the documentation site: copy buttons, the choice of a language, search, console. Pages are complete without it. */
export const siteScript = `'use strict';
(() => {
const own = document.currentScript;
const element = (tag, attributes, text) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
const remembered = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const remember = (name, value) => { try { localStorage.setItem(name, value); } catch {} };

function addCopyButtons() {
  for (const block of document.querySelectorAll('.code')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
    const status = element('span', { class: 'heard', role: 'status' });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('pre').textContent);
      button.textContent = status.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; status.textContent = ''; }, 2000);
    });
    block.append(button, status);
  }
}

function addLanguageChoice() {
  const groups = [...document.querySelectorAll('.snippets')];
  if (groups.length === 0) return;
  const labels = new Map([...groups[0].querySelectorAll('.snippet')].map((one) => [one.dataset.language, one.dataset.label]));
  const choose = (language) => {
    for (const one of document.querySelectorAll('.snippet')) one.hidden = one.dataset.language !== language;
    for (const one of document.querySelectorAll('.languages button')) one.setAttribute('aria-pressed', String(one.value === language));
  };
  for (const group of groups) {
    const bar = element('div', { class: 'languages', role: 'group', 'aria-label': 'Language' });
    for (const [language, label] of labels) {
      const button = element('button', { type: 'button', value: language, 'aria-pressed': 'false' }, label);
      button.addEventListener('click', () => {
        const before = button.getBoundingClientRect().top;
        remember('turnpike-docs-language', language);
        choose(language);
        scrollBy(0, button.getBoundingClientRect().top - before);
      });
      bar.append(button);
    }
    group.classList.add('chosen');
    group.prepend(bar);
  }
  const last = remembered('turnpike-docs-language');
  choose(labels.has(last) ? last : [...labels.keys()][0]);
}

const RESULTS_MAX = 20;

/** Every word must occur; a hit in a heading counts more than one in the text. */
function findEntries(entries, query) {
  const words = query.toLowerCase().split(/\\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored = entries.flatMap((entry) => {
    const [, page, heading, text] = entry;
    const [inPage, inHeading, inText] = [page, heading, text].map((one) => one.toLowerCase());
    let score = 0;
    for (const word of words) {
      const points = (inHeading === word ? 24 : inHeading.startsWith(word) ? 12 : inHeading.includes(word) ? 8 : 0) +
        (inPage.includes(word) ? 4 : 0) + (inText.includes(word) ? 1 : 0);
      if (points === 0) return [];
      score += points;
    }
    return [{ entry, score }];
  });
  return scored.sort((one, other) => other.score - one.score).slice(0, RESULTS_MAX).map(({ entry }) => entry);
}

function addSearch() {
  const box = document.querySelector('.search');
  const [input, list] = ['site-search', 'site-found'].map((id) => document.getElementById(id));
  let entries = null;
  let at = -1;
  const load = () => (entries ??= fetch(own.dataset.search).then((answer) => answer.json()));
  const options = () => [...list.children];
  const select = (next) => {
    at = next;
    for (const [index, option] of options().entries()) option.setAttribute('aria-selected', String(index === at));
    const option = options()[at];
    if (option) { input.setAttribute('aria-activedescendant', option.id); option.scrollIntoView({ block: 'nearest' }); }
    else input.removeAttribute('aria-activedescendant');
  };
  const close = () => { list.hidden = true; input.setAttribute('aria-expanded', 'false'); select(-1); };
  const open = (option) => { if (option?.dataset.address) location.href = option.dataset.address; };
  const addressOf = (path) => {
    const [page, anchor] = path.split('#');
    const { pages } = own.dataset;
    const plain = page === '' ? own.dataset.first : pages.replace('page', page);
    return anchor === undefined ? plain : plain + '#' + anchor;
  };
  const show = async () => {
    const query = input.value;
    if (query.trim() === '') return close();
    const found = findEntries(await load(), query);
    if (query !== input.value) return;
    list.replaceChildren(...found.map(([address, page, heading], index) => {
      const attributes = { role: 'option', id: 'site-found' + index, 'aria-selected': 'false', 'data-address': addressOf(address) };
      const option = element('li', attributes, heading || page);
      option.append(element('span', {}, page));
      option.addEventListener('click', () => open(option));
      return option;
    }));
    if (found.length === 0) list.append(element('li', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, 'No results'));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    select(found.length > 0 ? 0 : -1);
  };
  box.hidden = false;
  input.addEventListener('focus', load);
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    const count = options().length;
    if (event.key === 'ArrowDown' && count > 0) select((at + 1) % count);
    else if (event.key === 'ArrowUp' && count > 0) select((at - 1 + count) % count);
    else if (event.key === 'Enter') open(options()[at]);
    else if (event.key === 'Escape') { input.value = ''; close(); }
    else return;
    event.preventDefault();
  });
  document.addEventListener('click', (event) => { if (!box.contains(event.target)) close(); });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)) return;
    event.preventDefault();
    input.focus();
  });
}

/** A link to a row within closed details opens them. */
function openTarget() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  for (let outer = target?.closest('details'); outer; outer = outer.parentElement?.closest('details')) outer.open = true;
  target?.scrollIntoView();
}

/** Whether digits look like a card number: 12 to 19 of them with a right check digit. */
function isCardNumber(text) {
  const digits = text.replace(/[\\s-]/g, '');
  if (!/^[0-9]{12,19}$/.test(digits)) return false;
  const doubled = (digit) => (digit < 5 ? digit * 2 : digit * 2 - 9);
  const sum = [...digits].map(Number).reverse().reduce((all, digit, place) => all + (place % 2 === 0 ? digit : doubled(digit)), 0);
  return sum % 10 === 0;
}

function addConsole() {
  const form = document.getElementById('console');
  if (!form) return;
  const { token, cards } = form.dataset;
  const [step, method, path, fields, send] = ['step', 'method', 'path', 'fields', 'send'].map((name) => form.elements[name]);
  const [curl, answer] = [document.getElementById('console-request'), document.getElementById('console-answer')];
  const pairs = () => fields.value.split('\\n').map((line) => line.trim()).filter(Boolean).map((line) => {
    const mark = line.indexOf('=');
    return mark < 0 ? [line, ''] : [line.slice(0, mark), line.slice(mark + 1)];
  });
  const quoted = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'";
  const draw = () => {
    const verb = method.value === 'POST' ? 'curl ' : method.value === 'GET' ? 'curl -G ' : 'curl -G -X DELETE ';
    curl.textContent = [verb + quoted(location.origin + path.value), '-H ' + quoted('Authorization: Bearer ' + token),
      ...pairs().map(([name, value]) => '--data-urlencode ' + quoted(name + '=' + value))].join(' \\\\\\n  ');
  };
  const fill = () => {
    const option = step.selectedOptions[0];
    [method.value, path.value, fields.value] = [option.dataset.method, option.dataset.path, option.dataset.fields];
    draw();
  };
  const foreign = () => {
    const tests = new Set(cards.split(' '));
    return [path.value, ...pairs().flat()].some((text) => isCardNumber(text) && !tests.has(text.replace(/[\\s-]/g, '')));
  };
  step.addEventListener('change', fill);
  for (const input of [method, path, fields]) input.addEventListener('input', draw);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!/^\\/(?:v[123]|reports|scheduling)\\//.test(path.value)) {
      answer.textContent = 'The path must begin with /v1/, /v2/, /v3/, /reports/ or /scheduling/.';
      return;
    }
    if (foreign()) {
      answer.textContent = 'Nothing was sent: the request has a card number that is no test card. The page "The simulator" lists them.';
      return;
    }
    send.disabled = true;
    answer.textContent = 'Waiting for the answer …';
    try {
      const body = new URLSearchParams(pairs());
      const isPost = method.value === 'POST';
      const reply = await fetch(isPost ? path.value : path.value + '?' + body, {
        method: method.value, headers: { Authorization: 'Bearer ' + token }, credentials: 'omit', ...(isPost && { body }),
      });
      const text = await reply.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch {}
      answer.textContent = 'HTTP ' + reply.status + '\\n' + shown;
    } catch (error) {
      answer.textContent = 'No answer: ' + error.message;
    }
    send.disabled = false;
  });
  form.hidden = false;
  fill();
}

addCopyButtons();
addLanguageChoice();
addSearch();
addConsole();
openTarget();
addEventListener('hashchange', openTarget);
})();
`;
