import ts from 'typescript';

/** One small change of a source text. */
export type Mutant = {
  readonly line: number;
  /** The source line without its indentation. */
  readonly at: string;
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
};

const BINARY: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '&': ['|'],
  '|': ['&'],
  '^': ['|'],
  '<<': ['>>'],
  '>>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
  '|=': ['&='],
};

/** Calls that are replaced by another method. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
]);
/** Calls whose result has the type of the object: the object is taken instead. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'filter',
  'toSorted',
  'sort',
  'reverse',
  'slice',
  'subarray',
  'padStart',
  'toReversed',
]);

type Change = (node: ts.Node, to: string) => void;

/** The mutants of a source text, in the order of the text. Types, imports and the texts of errors are left alone. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, Mutant>();
  const lines = text.split('\n');
  const change: Change = (node, to) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const { line } = source.getLineAndCharacterOfPosition(start);
    const mutant = { line: line + 1, at: (lines[line] ?? '').trim(), start, end, from: text.slice(start, end), to };
    if (mutant.from !== to) found.set(`${start} ${end} ${to}`, mutant);
  };
  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node)) return;
    mutateExpression(node, change);
    mutateLiteral(node, change);
    mutateStatement(node, change);
    node.forEachChild(visit);
  };
  visit(source);
  return [...found.values()].sort((one, other) => one.start - other.start || one.end - other.end);
}

function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  // No behaviour depends on the text of an error for developers.
  const { parent } = node;
  return (
    parent !== undefined &&
    ts.isNewExpression(parent) &&
    node !== parent.expression &&
    parent.expression.getText().endsWith('Error')
  );
}

function mutateExpression(node: ts.Node, change: Change): void {
  if (ts.isBinaryExpression(node)) mutateBinary(node, change);
  if (ts.isConditionalExpression(node)) replaceCondition(node.condition, change);
  if (ts.isPrefixUnaryExpression(node) && [ts.SyntaxKind.ExclamationToken, ts.SyntaxKind.MinusToken].includes(node.operator))
    change(node, node.operand.getText());
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken) change(node.questionDotToken, '.');
  if (ts.isElementAccessExpression(node) && node.questionDotToken) change(node.questionDotToken, '');
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) mutateCall(node, node.expression, change);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) change(node.body, 'undefined');
}

function mutateBinary(node: ts.BinaryExpression, change: Change): void {
  const { left, operatorToken, right } = node;
  const operator = operatorToken.getText();
  if (operator === '??') {
    change(node, left.getText());
    change(node, right.getText());
  }
  if (operator === '+' && [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side))) return;
  for (const other of BINARY[operator] ?? []) change(operatorToken, other);
}

function mutateCall(call: ts.CallExpression, { expression, name }: ts.PropertyAccessExpression, change: Change): void {
  const other = METHODS.get(name.text);
  if (other !== undefined) change(name, other);
  if (PASSED_OVER.has(name.text)) change(call, expression.getText());
}

function replaceCondition(condition: ts.Expression, change: Change): void {
  change(condition, 'true');
  change(condition, 'false');
}

function mutateLiteral(node: ts.Node, change: Change): void {
  if (node.kind === ts.SyntaxKind.TrueKeyword) change(node, 'false');
  if (node.kind === ts.SyntaxKind.FalseKeyword) change(node, 'true');
  if (ts.isNumericLiteral(node)) change(node, String(Number(node.text) + 1));
  if (ts.isBigIntLiteral(node)) change(node, `${BigInt(node.text.replace(/n$/, '')) + 1n}n`);
  if (ts.isStringLiteral(node) && !isName(node)) change(node, node.text === '' ? "'?'" : "''");
  if (ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) change(node, '``');
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isAssigned(node)) change(node, '[]');
  if (ts.isRegularExpressionLiteral(node)) mutatePattern(node, change);
}

/** The name of a property. */
const isName = (node: ts.StringLiteral): boolean => ts.isPropertyAssignment(node.parent) && node.parent.name === node;

const isAssigned = ({ parent }: ts.Node): boolean =>
  ts.isBinaryExpression(parent) &&
  parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
  ts.isArrayLiteralExpression(parent.left);

function mutatePattern(node: ts.RegularExpressionLiteral, change: Change): void {
  const text = node.getText();
  if (text.startsWith('/^')) change(node, `/${text.slice(2)}`);
  if (/\$\/[a-z]*$/.test(text)) change(node, text.replace(/\$(\/[a-z]*)$/, '$1'));
}

function mutateStatement(node: ts.Node, change: Change): void {
  if (ts.isIfStatement(node)) replaceCondition(node.expression, change);
  if (ts.isWhileStatement(node)) change(node.expression, 'false');
  if (ts.isForStatement(node) && node.condition) change(node.condition, 'false');
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node))
    change(node, ';');
  if (ts.isReturnStatement(node) && node.expression && !isFalsy(node.expression)) change(node.expression, 'undefined');
}

/** `null` and `false`: most callers ask for the truth of them only, and `undefined` is no other answer to those. */
const isFalsy = ({ kind }: ts.Node): boolean => kind === ts.SyntaxKind.NullKeyword || kind === ts.SyntaxKind.FalseKeyword;
