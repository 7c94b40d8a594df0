import ts from 'typescript';

/** Text around the text of a node. */
type Wrap = (text: string) => string;

/** The source with `hit()` at the beginning of every function and every branch, behind `head`. Lines stay where they are. */
export function instrument(text: string, head: string, hit: () => string): string {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const wraps = new Map<ts.Node, Wrap>();
  const render = (node: ts.Node): string => {
    const start = node.getStart(source);
    if (isType(node)) return text.slice(start, node.end);
    branchesOf(node, wraps, hit);
    const pieces: string[] = [];
    let from = start;
    ts.forEachChild(node, (child) => {
      const at = child.getStart(source);
      pieces.push(text.slice(from, at), render(child));
      from = child.end;
    });
    const whole = pieces.join('') + text.slice(from, node.end);
    return wraps.get(node)?.(whole) ?? whole;
  };
  return head + text.slice(0, source.getStart(source)) + render(source);
}

const isType = (node: ts.Node): boolean =>
  ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);

const SHORT: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** Notes what stands around the parts of a node where the program may go one way or another. */
function branchesOf(node: ts.Node, wraps: Map<ts.Node, Wrap>, hit: () => string): void {
  const statement = (part: ts.Statement, isWithoutElse = false): void => {
    const mark = `{${hit()};`;
    const rest = isWithoutElse ? ` else {${hit()};}` : '';
    wraps.set(part, (text) => (ts.isBlock(part) ? `${mark}${text.slice(1)}${rest}` : `${mark}${text}}${rest}`));
  };
  const expression = (part: ts.Expression): void => {
    const mark = `(${hit()},(`;
    wraps.set(part, (text) => `${mark}${text}))`);
  };
  if (ts.isFunctionLike(node) && 'body' in node && node.body) {
    const body = node.body as ts.ConciseBody;
    if (ts.isBlock(body)) statement(body);
    else expression(body);
  } else if (ts.isIfStatement(node)) {
    statement(node.thenStatement, !node.elseStatement);
    if (node.elseStatement) statement(node.elseStatement);
  } else if (ts.isIterationStatement(node, false)) statement(node.statement);
  else if (ts.isCatchClause(node)) statement(node.block);
  else if (ts.isCaseOrDefaultClause(node)) {
    const [first] = node.statements;
    const mark = `${hit()};`;
    if (first) wraps.set(first, (text) => `${mark}${text}`);
  } else if (ts.isConditionalExpression(node)) {
    expression(node.whenTrue);
    expression(node.whenFalse);
  } else if (ts.isBinaryExpression(node) && SHORT.has(node.operatorToken.kind)) expression(node.right);
}
