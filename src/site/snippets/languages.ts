import { sandbox } from '../../merchants/sandbox.ts';

/** One request of a guide. Every language renders the same row, so that seven languages cannot differ. */
export type Step = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{name}` stands for a variable: `entityId`, or what an earlier step keeps. */
  readonly path: string;
  /** Sent as a form, or as the query of a GET or DELETE. */
  readonly form?: Fields;
  /** Sent as JSON. */
  readonly json?: Fields;
  /** Variables that later steps use, and the members of the answer that they take. A member is the first of its name. */
  readonly keeps?: Fields;
  /** The member that the snippet prints. */
  readonly shows: readonly string[];
  readonly expects: RegExp;
};

export type Fields = Readonly<Record<string, string>>;

export type Guide = { readonly page: string; readonly steps: readonly Step[] };

/** A text with variables, in its parts. */
type Piece = { readonly kind: 'text' | 'variable'; readonly text: string };

const piecesOf = (template: string): readonly Piece[] =>
  template.split(/(\{\w+\})/).flatMap((part): readonly Piece[] => {
    if (part === '') return [];
    return part.startsWith('{') ? [{ kind: 'variable', text: part.slice(1, -1) }] : [{ kind: 'text', text: part }];
  });

/** A text as an expression: literals and variables, joined. */
function expressionOf(
  template: string,
  literal: (text: string) => string,
  variable: (name: string) => string,
  join: string,
): string {
  const pieces = piecesOf(template);
  if (pieces.length === 0) return literal('');
  return pieces.map(({ kind, text }) => (kind === 'text' ? literal(text) : variable(text))).join(join);
}

/** How a language writes the requests of a guide, with its standard library alone. */
type Language = {
  readonly id: string;
  readonly label: string;
  /** The start of a program: the addresses, and the function that sends a request. */
  readonly setUp: string;
  readonly step: (step: Step) => string;
  /** A program of several guides; a guide is a block of its own. */
  readonly program: (blocks: readonly string[]) => string;
};

const URL_HERE = 'http://127.0.0.1:8080';
const { token, channelId } = sandbox.demoShop;

const single = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const double = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const upper = (name: string): string => snake(name).toUpperCase();
const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);
const fieldsOf = ({ form, json }: Step): readonly (readonly [string, string])[] => Object.entries(form ?? json ?? {});
const keepsOf = ({ keeps = {} }: Step): readonly (readonly [string, string])[] => Object.entries(keeps);

/** JSON as text, in a language that has no literals for it: the variables are joined in. */
function jsonTemplate(fields: Fields): string {
  const members = Object.entries(fields).map(
    ([name, value]) => `${JSON.stringify(name)}: ${value === 'true' ? value : JSON.stringify(value)}`,
  );
  return `{ ${members.join(', ')} }`;
}
/** The same, with only the known variables as pieces. */
const jsonPieces = (
  fields: Fields,
  literal: (text: string) => string,
  variable: (name: string) => string,
  join: string,
): string => {
  const text = jsonTemplate(fields);
  const pieces = text
    .split(/("[^"]*\{\w+\}[^"]*")/)
    .flatMap((part) =>
      /\{\w+\}/.test(part) && part.startsWith('"') ? piecesOf(part) : part === '' ? [] : [{ kind: 'text' as const, text: part }],
    );
  return pieces.map((piece) => (piece.kind === 'text' ? literal(piece.text) : variable(piece.text))).join(join);
};

/** As it stands between double quotes. */
const shellLiteral = (text: string): string => text.replace(/[\\"$`]/g, '\\$&');

const shellText = (template: string): string =>
  `"${piecesOf(template)
    .map(({ kind, text }) => (kind === 'text' ? shellLiteral(text) : `$${upper(text)}`))
    .join('')}"`;

const firstMember = (member: string): string => `$(echo "$answer" | grep -o '"${member}":"[^"]*"' | head -n 1 | cut -d '"' -f 4)`;

const curl: Language = {
  id: 'curl',
  label: 'curl',
  setUp: `BASE_URL=\${BASE_URL:-${URL_HERE}}
ACCESS_TOKEN=\${ACCESS_TOKEN:-${token}}
ENTITY_ID=\${ENTITY_ID:-${channelId}}`,
  step(step) {
    const verb = { POST: 'curl -s', GET: 'curl -s -G', DELETE: 'curl -s -G -X DELETE' }[step.method];
    const sent =
      step.json === undefined
        ? fieldsOf(step).map(([name, value]) => `--data-urlencode ${shellText(`${name}=${value}`)}`)
        : ['-H "Content-Type: application/json"', `-d "${jsonPieces(step.json, shellLiteral, (name) => `$${upper(name)}`, '')}"`];
    const lines = [`${verb} "$BASE_URL${shellText(step.path).slice(1)}`, '-H "Authorization: Bearer $ACCESS_TOKEN"', ...sent];
    const kept = keepsOf(step).map(([name, member]) => `${upper(name)}=${firstMember(member)}`);
    return [`answer=$(${lines.join(' \\\n  ')})`, 'echo "$answer"', ...kept].join('\n');
  },
  program: (blocks) => `${curl.setUp}\n\n${blocks.join('\n\n')}\n`,
};

const node: Language = {
  id: 'node',
  label: 'Node',
  setUp: `const baseUrl = process.env.BASE_URL ?? ${single(URL_HERE)};
const token = process.env.ACCESS_TOKEN ?? ${single(token)};
const entityId = process.env.ENTITY_ID ?? ${single(channelId)};

async function send(method, path, fields, isJson = false) {
  const form = new URLSearchParams(fields);
  const headers = { Authorization: \`Bearer \${token}\` };
  if (isJson) headers['Content-Type'] = 'application/json';
  const address = baseUrl + path + (method === 'POST' ? '' : \`?\${form}\`);
  const body = method !== 'POST' ? undefined : isJson ? JSON.stringify(fields) : form;
  const answer = await fetch(address, { method, headers, body });
  return answer.json();
}
`.trimEnd(),
  step(step) {
    const text = (value: string) => expressionOf(value, single, (name) => name, ' + ');
    const value = (its: string) => (step.json && its === 'true' ? its : text(its));
    const lines = fieldsOf(step).map(([name, its]) => `  ${single(name)}: ${value(its)},`);
    const kept = keepsOf(step).map(([name, member]) => `const ${name} = ${step.id}.${member};`);
    const call = `const ${step.id} = await send('${step.method}', ${text(step.path)}, {\n${lines.join('\n')}\n}${step.json ? ', true' : ''});`;
    return [call, `console.log(${step.id}.${step.shows.join('.')});`, ...kept].join('\n');
  },
  program: (blocks) => `${node.setUp}\n\n${blocks.map((block) => `{\n${indent(block, '  ')}\n}`).join('\n')}\n`,
};

const php: Language = {
  id: 'php',
  label: 'PHP',
  setUp: `<?php
$baseUrl = getenv('BASE_URL') ?: ${single(URL_HERE)};
$token = getenv('ACCESS_TOKEN') ?: ${single(token)};
$entityId = getenv('ENTITY_ID') ?: ${single(channelId)};

function send(string $method, string $path, array $fields, bool $isJson = false): array {
    global $baseUrl, $token;
    $form = http_build_query($fields);
    $address = $baseUrl . $path . ($method === 'POST' ? '' : "?$form");
    $type = $isJson ? 'application/json' : 'application/x-www-form-urlencoded';
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => ["Authorization: Bearer $token", "Content-Type: $type"],
        'content' => $method !== 'POST' ? '' : ($isJson ? json_encode($fields) : $form),
        'ignore_errors' => true,
    ]]);
    return json_decode(file_get_contents($address, false, $context), true);
}
`.trimEnd(),
  step(step) {
    const text = (value: string) => expressionOf(value, single, (name) => `$${name}`, ' . ');
    const value = (its: string) => (step.json && its === 'true' ? its : text(its));
    const lines = fieldsOf(step).map(([name, its]) => `    ${single(name)} => ${value(its)},`);
    const kept = keepsOf(step).map(([name, member]) => `$${name} = $${step.id}['${member}'];`);
    const call = `$${step.id} = send('${step.method}', ${text(step.path)}, [\n${lines.join('\n')}\n]${step.json ? ', true' : ''});`;
    return [call, `echo $${step.id}${step.shows.map((one) => `['${one}']`).join('')}, PHP_EOL;`, ...kept].join('\n');
  },
  program: (blocks) => `${php.setUp}\n\n${blocks.join('\n\n')}\n`,
};

const python: Language = {
  id: 'python',
  label: 'Python',
  setUp: `import json, os
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

base_url = os.environ.get("BASE_URL", ${double(URL_HERE)})
token = os.environ.get("ACCESS_TOKEN", ${double(token)})
entity_id = os.environ.get("ENTITY_ID", ${double(channelId)})

def send(method, path, fields, is_json=False):
    form = urlencode(fields)
    address = base_url + path + ("" if method == "POST" else "?" + form)
    body = (json.dumps(fields) if is_json else form).encode() if method == "POST" else None
    request = Request(address, data=body, method=method, headers={"Authorization": "Bearer " + token})
    if is_json:
        request.add_header("Content-Type", "application/json")
    try:
        with urlopen(request) as answer:
            return json.load(answer)
    except HTTPError as error:  # A refusal is an answer too.
        return json.load(error)`,
  step(step) {
    const text = (value: string) => expressionOf(value, double, snake, ' + ');
    const value = (its: string) => (step.json && its === 'true' ? 'True' : text(its));
    const lines = fieldsOf(step).map(([name, its]) => `    ${double(name)}: ${value(its)},`);
    const name = snake(step.id);
    const kept = keepsOf(step).map(([its, member]) => `${snake(its)} = ${name}["${member}"]`);
    const call = `${name} = send("${step.method}", ${text(step.path)}, {\n${lines.join('\n')}\n}${step.json ? ', True' : ''})`;
    return [call, `print(${name}${step.shows.map((one) => `["${one}"]`).join('')})`, ...kept].join('\n');
  },
  program: (blocks) => `${python.setUp}\n\n${blocks.join('\n\n')}\n`,
};

const ruby: Language = {
  id: 'ruby',
  label: 'Ruby',
  setUp: `require 'json'
require 'net/http'

$base_url = ENV.fetch('BASE_URL', ${single(URL_HERE)})
$token = ENV.fetch('ACCESS_TOKEN', ${single(token)})
entity_id = ENV.fetch('ENTITY_ID', ${single(channelId)})

def send_request(method, path, fields, is_json = false)
  form = URI.encode_www_form(fields)
  uri = URI($base_url + path + (method == 'POST' ? '' : "?#{form}"))
  request = Net::HTTP.const_get(method.capitalize).new(uri, 'Authorization' => "Bearer #{$token}")
  request.body = is_json ? JSON.generate(fields) : form if method == 'POST'
  request.content_type = is_json ? 'application/json' : 'application/x-www-form-urlencoded'
  answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }
  JSON.parse(answer.body)
end`,
  step(step) {
    const text = (value: string) => expressionOf(value, single, snake, ' + ');
    const value = (its: string) => (step.json && its === 'true' ? its : text(its));
    const lines = fieldsOf(step).map(([name, its]) => `  ${single(name)} => ${value(its)},`);
    const name = snake(step.id);
    const kept = keepsOf(step).map(([its, member]) => `${snake(its)} = ${name}['${member}']`);
    const call = `${name} = send_request('${step.method}', ${text(step.path)}, {\n${lines.join('\n')}\n}${step.json ? ', true' : ''})`;
    return [call, `puts ${name}${step.shows.map((one) => `['${one}']`).join('')}`, ...kept].join('\n');
  },
  program: (blocks) => `${ruby.setUp}\n\n${blocks.join('\n\n')}\n`,
};

/** The call of a language whose fields are pairs or one text of JSON. */
function callOf(step: Step, fields: (lines: readonly string[]) => string): string {
  const text = (value: string) => expressionOf(value, double, (name) => name, ' + ');
  if (step.json) return `sendJson(${text(step.path)}, ${jsonPieces(step.json, double, (name) => name, ' + ')})`;
  return `send("${step.method}", ${text(step.path)}${fields(fieldsOf(step).map(([name, its]) => `${double(name)}, ${text(its)}`))})`;
}

const javaSetUp = `static final String BASE_URL = System.getenv().getOrDefault("BASE_URL", ${double(URL_HERE)});
static final String TOKEN = System.getenv().getOrDefault("ACCESS_TOKEN", ${double(token)});
static final String entityId = System.getenv().getOrDefault("ENTITY_ID", ${double(channelId)});

static String send(String method, String path, String... fields) throws Exception {
  StringBuilder form = new StringBuilder();
  for (int at = 0; at < fields.length; at += 2)
    form.append(at == 0 ? "" : "&").append(encode(fields[at])).append("=").append(encode(fields[at + 1]));
  boolean isPost = method.equals("POST");
  return exchange(method, path + (isPost ? "" : "?" + form), isPost ? form.toString() : "", "application/x-www-form-urlencoded");
}

static String encode(String text) throws Exception {
  return URLEncoder.encode(text, "UTF-8");
}

static String sendJson(String path, String body) throws Exception {
  return exchange("POST", path, body, "application/json");
}

static String exchange(String method, String path, String body, String type) throws Exception {
  HttpRequest request = HttpRequest.newBuilder(URI.create(BASE_URL + path)).header("Authorization", "Bearer " + TOKEN)
      .header("Content-Type", type).method(method, HttpRequest.BodyPublishers.ofString(body)).build();
  return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
}

/** The first member of this name. A JSON library reads answers better; the standard library has none. */
static String member(String json, String name) {
  Matcher found = Pattern.compile("\\"" + name + "\\":\\"([^\\"]*)\\"").matcher(json);
  return found.find() ? found.group(1) : null;
}`;

const javaImports = `import java.net.URI;
import java.net.URLEncoder;
import java.net.http.*;
import java.util.regex.*;`;

const java: Language = {
  id: 'java',
  label: 'Java',
  setUp: `${javaImports}\n\n// Members of your class:\n${javaSetUp}`,
  step(step) {
    const call = callOf(step, (lines) => lines.map((line) => `,\n    ${line}`).join(''));
    const kept = keepsOf(step).map(([name, member]) => `String ${name} = member(${step.id}, "${member}");`);
    return [`String ${step.id} = ${call};`, `System.out.println(member(${step.id}, "${step.shows.at(-1)}"));`, ...kept].join(
      '\n',
    );
  },
  program: (blocks) =>
    `${javaImports}\n\npublic class Main {\n${indent(javaSetUp, '  ')}\n\n  public static void main(String[] words) throws Exception {\n${blocks
      .map((block) => `    {\n${indent(block, '      ')}\n    }`)
      .join('\n')}\n  }\n}\n`,
};

const csharp: Language = {
  id: 'csharp',
  label: 'C#',
  setUp: `using System.Text;
using System.Text.Json;

string Setting(string name, string otherwise) => Environment.GetEnvironmentVariable(name) ?? otherwise;
string baseUrl = Setting("BASE_URL", ${double(URL_HERE)});
string token = Setting("ACCESS_TOKEN", ${double(token)});
string entityId = Setting("ENTITY_ID", ${double(channelId)});
HttpClient client = new();

async Task<JsonElement> exchange(string method, string path, HttpContent? body) {
    HttpRequestMessage request = new(new HttpMethod(method), baseUrl + path) { Content = body };
    request.Headers.Add("Authorization", "Bearer " + token);
    HttpResponseMessage answer = await client.SendAsync(request);
    return JsonDocument.Parse(await answer.Content.ReadAsStringAsync()).RootElement;
}

async Task<JsonElement> send(string method, string path, params string[] fields) {
    FormUrlEncodedContent form = new(fields.Chunk(2).Select(pair => KeyValuePair.Create(pair[0], pair[1])));
    if (method == "POST") return await exchange(method, path, form);
    return await exchange(method, path + "?" + await form.ReadAsStringAsync(), null);
}

Task<JsonElement> sendJson(string path, string body) =>
    exchange("POST", path, new StringContent(body, Encoding.UTF8, "application/json"));`,
  step(step) {
    const call = callOf(step, (lines) => lines.map((line) => `,\n    ${line}`).join(''));
    const get = (names: readonly string[]) => `${step.id}${names.map((name) => `.GetProperty("${name}")`).join('')}.GetString()`;
    const kept = keepsOf(step).map(([name, member]) => `string ${name} = ${get([member])}!;`);
    return [`var ${step.id} = await ${call};`, `Console.WriteLine(${get(step.shows)});`, ...kept].join('\n');
  },
  program: (blocks) => `${csharp.setUp}\n\n${blocks.map((block) => `{\n${indent(block, '    ')}\n}`).join('\n')}\n`,
};

export const languages: readonly Language[] = [curl, node, php, python, ruby, java, csharp];
