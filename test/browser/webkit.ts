import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram, skipWithout } from '../debian.ts';
import { freePort } from '../freePort.ts';

/**
 * WebKitGTK as the distribution has it: the small browser of its package, driven by W3C WebDriver over HTTP. It needs a display, which Xvfb
 * simulates. Browser, driver and display are one process group with one folder; both end with this process.
 */

/** An element: by selector, by its text, or by its label; in a frame inside frames. */
export type Target = {
  readonly css: string;
  /** What its visible text, or its accessible name in an attribute, begins with. */
  readonly text?: string;
  /** What the text of its label begins with. */
  readonly label?: string;
  /** Selectors of the frames around it, from outside in. */
  readonly frames?: readonly string[];
};

export type WebKitTab = {
  open(url: string): Promise<void>;
  url(): Promise<string>;
  /** Waits until the address has this text in it. */
  arrive(part: string): Promise<URL>;
  /** Runs the body of a function in the page, or in a frame of it. */
  run<Answer>(body: string, frames?: readonly string[]): Promise<Answer>;
  /** Waits until an expression is true in the page. */
  until(expression: string, frames?: readonly string[]): Promise<void>;
  /** Waits until an element can be seen. */
  wait(target: Target | string): Promise<void>;
  click(target: Target | string): Promise<void>;
  /** Types into an element, behind what it holds. */
  type(target: Target | string, text: string): Promise<void>;
  /** Types into an element in the place of what it holds. */
  fill(target: Target | string, text: string): Promise<void>;
  /** Presses keys one after the other, wherever the focus is. */
  press(...keys: readonly string[]): Promise<void>;
  text(target: Target | string): Promise<string>;
  /** What the accessibility tree says of it. */
  role(target: Target | string): Promise<readonly [role: string, name: string]>;
  addCookie(name: string, value: string): Promise<void>;
  /** Keeps a picture where SHOTS names a folder. */
  shot(name: string): Promise<void>;
  close(): Promise<void>;
};

/** Keys by their names in WebDriver. */
export const KEY = { control: '\uE009', tab: '\uE004', enter: '\uE007', end: '\uE010', escape: '\uE00C', space: ' ' } as const;

const SELECT_ALL = [
  { type: 'keyDown', value: KEY.control },
  { type: 'keyDown', value: 'a' },
  { type: 'keyUp', value: 'a' },
  { type: 'keyUp', value: KEY.control },
];

const WAIT_MS_MAX = 30_000;
const EVERY_MS = 50;
const PLACES = '/usr/lib/*/webkit2gtk-4.*/MiniBrowser';

/** Installs WebKitGTK. Returns why its tests must be skipped, or false. */
export const skipWithoutWebKit = (): Promise<string | false> => skipWithout('webkit', 'xvfb');

/** Starts a program of the distribution, which ends with this process and takes its folder along. */
function start(program: string, args: readonly string[], folder: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(join(import.meta.dirname, 'endWithParent.sh'), args, {
    env: { ...process.env, ...env, PROGRAM: findProgram(program) ?? '', FOLDER: folder },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  // The rest of its group and its folder go within a moment.
  while (existsSync(folder)) await pause(EVERY_MS);
}

async function startDisplay() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-display-'));
  const child = start('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], folder, {});
  const [chosen] = (await once(child.stdio[3] as Readable, 'data')) as [Buffer];
  return { name: `:${chosen.toString().trim()}`, close: () => end(child, folder) };
}

/** WebDriver's name for a reference to an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
type Reference = { readonly [ELEMENT]: string };
type Call = <Answer>(method: string, path: string, body?: object) => Promise<Answer>;

/** Commands fail with these while a page is on its way. */
const PASSING = /stale element|no such (element|frame|window)|element (click intercepted|not interactable)|javascript error/;

const find = `const [css, text, label] = arguments;
  const starts = (of, with_) => (of ?? '').replace(/\\s+/g, ' ').trim().startsWith(with_);
  const labels = (el) => [...(el.labels ?? [])].map((one) => one.textContent);
  return [...document.querySelectorAll(css)].find((el) => el.checkVisibility({ visibilityProperty: true })
    && (text === null || starts(el.innerText, text) || starts(el.getAttribute('aria-label'), text))
    && (label === null || [el.getAttribute('aria-label'), ...labels(el)].some((one) => starts(one, label)))) ?? null;`;

const targetOf = (target: Target | string): Target => (typeof target === 'string' ? { css: target } : target);

/** The commands of one session, each in the frames that it names. */
function createTab(call: Call, close: () => Promise<void>): WebKitTab {
  const execute = <Answer>(script: string, args: readonly unknown[] = []): Promise<Answer> =>
    call('POST', '/execute/sync', { script, args });

  async function enter(frames: readonly string[] = []): Promise<void> {
    await call('POST', '/frame', { id: null });
    for (const css of frames) {
      const frame = await execute<Reference | null>(find, [css, null, null]);
      if (!frame) throw new Error(`no such frame: ${css}`);
      await call('POST', '/frame', { id: frame });
    }
  }

  async function shot(name: string): Promise<void> {
    const folder = process.env.SHOTS;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await call('POST', '/frame', { id: null });
    writeFileSync(join(folder, `${name}.png`), Buffer.from(await call<string>('GET', '/screenshot'), 'base64'));
  }

  /** Tries until it succeeds: pages load, frames come, elements appear. */
  async function eventually<Answer>(what: string, attempt: () => Promise<Answer | null>): Promise<Answer> {
    let reason = 'not there';
    for (const until = performance.now() + WAIT_MS_MAX; performance.now() < until; await pause(EVERY_MS)) {
      try {
        const answer = await attempt();
        if (answer !== null) return answer;
      } catch (error) {
        reason = (error as Error).message;
        if (!PASSING.test(reason)) throw error;
      }
    }
    await shot('failed');
    return assert.fail(`${what}: ${reason}`);
  }

  const withElement = <Answer>(target: Target | string, act: (path: string) => Promise<Answer>): Promise<Answer> =>
    eventually(JSON.stringify(target), async () => {
      const { css, text = null, label = null, frames } = targetOf(target);
      await enter(frames);
      const found = await execute<Reference | null>(find, [css, text, label]);
      // An answer of null counts as not there yet.
      return found && act(`/element/${found[ELEMENT]}`);
    });
  const done = async (command: Promise<unknown>): Promise<true> => command.then(() => true);

  const perform = (device: object): Promise<void> => call('POST', '/actions', { actions: [device] });

  async function press(...keys: readonly string[]): Promise<void> {
    const actions = keys.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await perform({ type: 'key', id: 'keyboard', actions });
  }

  return {
    open: (url) => call('POST', '/url', { url }),
    url: () => call('GET', '/url'),
    arrive: (part) =>
      eventually(part, async () => {
        const url = await call<string>('GET', '/url');
        return url.includes(part) ? new URL(url) : null;
      }),
    async run(body, frames) {
      await enter(frames);
      return execute(body);
    },
    async until(expression, frames) {
      await eventually(expression, async () => {
        await enter(frames);
        return (await execute<boolean>(`return Boolean(${expression})`)) || null;
      });
    },
    async wait(target) {
      await withElement(target, async () => true);
    },
    async click(target) {
      await withElement(target, (path) => done(call('POST', `${path}/click`, {})));
    },
    async type(target, text) {
      // A frame of another site takes the focus by a click, and not by a script.
      await withElement(target, (path) => done(call('POST', `${path}/click`, {})));
      await press(KEY.end, ...text);
    },
    async fill(target, text) {
      // By a script: the driver takes the inside of a search field for another element, and refuses to click.
      const focus = (path: string) => execute('arguments[0].focus()', [{ [ELEMENT]: path.slice('/element/'.length) }]);
      await withElement(target, (path) => done(focus(path)));
      await perform({ type: 'key', id: 'keyboard', actions: SELECT_ALL });
      await press(...text);
    },
    press,
    text: (target) => withElement(target, (path) => call<string>('GET', `${path}/text`)),
    role: (target) =>
      withElement(target, async (path) => {
        const role = await call<string>('GET', `${path}/computedrole`);
        return [role, await call<string>('GET', `${path}/computedlabel`)] as const;
      }),
    addCookie: (name, value) => call('POST', '/cookie', { cookie: { name, value, path: '/', httpOnly: true } }),
    shot,
    close,
  };
}

/** One call of the driver; the text of a failure begins with WebDriver's name of the error. */
async function request<Answer>(url: string, method: string, body?: object): Promise<Answer> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as {
    readonly value: Answer & { readonly error?: string; readonly message?: string };
  };
  if (!response.ok) throw new Error(`${value.error}: ${value.message} (${method} ${url})`);
  return value;
}

async function untilUp(origin: string): Promise<void> {
  for (const until = performance.now() + WAIT_MS_MAX; performance.now() < until; await pause(EVERY_MS)) {
    const answer = await fetch(`${origin}/status`).catch(() => null);
    if (answer?.ok) return;
  }
  assert.fail('WebKitWebDriver does not answer');
}

/** A WebKit with an empty profile. */
export async function openWebKit(): Promise<WebKitTab> {
  const display = await startDisplay();
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-webkit-'));
  const homes = Object.fromEntries(['HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'].map((name) => [name, folder]));
  // Pages are told to move nothing: a dialog that is fading in would have other colours for axe.
  mkdirSync(join(folder, 'gtk-3.0'));
  writeFileSync(join(folder, 'gtk-3.0', 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
  const port = await freePort();
  // Text of every size is drawn alike, and no process of it has a sandbox: tests run as root. With LANG=C its language is no language tag.
  const env = {
    ...homes,
    LANG: 'en_GB.UTF-8',
    DISPLAY: display.name,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    NO_AT_BRIDGE: '1',
  };
  const driver = start('WebKitWebDriver', [`--port=${port}`], folder, env);
  const close = async (): Promise<void> => {
    await end(driver, folder);
    await display.close();
  };
  try {
    const origin = `http://127.0.0.1:${port}`;
    await untilUp(origin);
    const binary = globSync(PLACES).at(-1);
    const args = ['--automation', '--geometry=1000x950'];
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args } } };
    const { sessionId } = await request<{ readonly sessionId: string }>(`${origin}/session`, 'POST', { capabilities });
    return createTab((method, path, body) => request(`${origin}/session/${sessionId}${path}`, method, body), close);
  } catch (error) {
    await close();
    throw error;
  }
}
