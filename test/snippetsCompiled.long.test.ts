import { testSnippets } from './snippets.ts';

// Compilers take longer than a quick test may.
testSnippets(['java', 'csharp']);
