/**
 * Faults that a gateway under attack is started with, for controls: sources are changed as they are loaded. A change names a source, a text
 * in it and its replacement; no setting of the gateway does any of this.
 */
export type Planted = { readonly file: string; readonly find: string; readonly put: string };

export const planted = {
  /** What was read is cut behind each blank line, also inside bodies, and pieces are not counted: the fault of decisions/0088. */
  'bodies are cut behind blank lines': [
    {
      file: '/src/http/transport/slices.ts',
      find: 'if (missing < UNKNOWN) return Math.min(missing, bytes.length);',
      put: 'if (missing < UNKNOWN) return Math.min(missing, blankLineEnd(bytes, 0, before));',
    },
    { file: '/src/http/transport/body.ts', find: 'pieces > bodyPiecesMax + bytes / bodyPieceBytes;', put: 'pieces + bytes < 0;' },
  ],
  /** Whether a name came before is looked up in a list. */
  'names are looked for one by one': [
    {
      file: '/src/form/decode.ts',
      find: '  fields.set(name, value);\n',
      put: `
  const names = ((reading as { names?: string[] }).names ??= []);
  if (!names.includes(name)) names.push(name);
  fields.set(name, value);
`,
    },
  ],
} as const satisfies Readonly<Record<string, readonly Planted[]>>;

export type PlantedName = keyof typeof planted;
