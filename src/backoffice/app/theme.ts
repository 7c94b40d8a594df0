import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** Our tokens as Mantine reads them. Filled controls use the seventh shade in both themes, because they carry white text. */

const shades = (ten: string): MantineColorsTuple => ten.split(' ') as unknown as MantineColorsTuple;

const accent = shades('#eaf1ff #d3e2ff #a9c6ff #86b1ff #6ea3ff #3d82ff #0b5fff #0a55e5 #0848c4 #063a9e');
const good = shades('#e6f6ee #cbecdc #9bdabd #6fcba1 #4cc38a #1f9a65 #0a7a4b #086c42 #065a37 #04482c');
const warn = shades('#fff6df #fdebbd #f6d98a #ecc666 #e2b34b #bd8a1a #9a6700 #875a00 #6f4a00 #573a00');
const bad = shades('#fdecec #fbd5d5 #f8aeab #fb928c #ff7b72 #e05252 #c62828 #b02222 #931b1b #761515');
const gray = shades('#f7f8fa #f0f2f6 #e3e7ee #d3d9e3 #b3bbc9 #8a93a3 #5b6472 #454d5a #2b313b #14181f');
const dark = shades('#e8ebf0 #c5ccd8 #98a2b3 #717b8e #3a4250 #2a303a #1f242d #171b22 #12161c #0f1217');

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: 6,
  colors: { accent, good, warn, bad, gray, dark },
  black: '#14181f',
  autoContrast: true,
  luminanceThreshold: 0.35,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '13px', sm: '15px', md: '15px', lg: '17px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.45', xl: '1.3' },
  headings: {
    fontWeight: '700',
    sizes: {
      h1: { fontSize: '26px', lineHeight: '1.2' },
      h2: { fontSize: '20px', lineHeight: '1.2' },
      h3: { fontSize: '17px', lineHeight: '1.2' },
    },
  },
  fontWeights: { regular: '400', medium: '550', bold: '700' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '10px', xl: '16px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { radius: 'lg', centered: true, transitionProps: { duration: 120 } } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
    // The page has one banner: the head of a dialog is none.
    DrawerHeader: { defaultProps: { role: 'none' } },
    ModalHeader: { defaultProps: { role: 'none' } },
    Menu: { defaultProps: { radius: 'sm', transitionProps: { duration: 120 }, shadow: 'md' } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 120 } } },
    Select: { defaultProps: { checkIconPosition: 'right' } },
  },
});

/** Mantine's variables, taken from our tokens. */
export const variables: CSSVariablesResolver = () => {
  const common = {
    '--mantine-color-body': 'var(--ground)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--muted)',
    '--mantine-color-placeholder': 'var(--muted)',
    '--mantine-color-default': 'var(--ground)',
    '--mantine-color-default-hover': 'var(--raised)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--edge)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-anchor': 'var(--accent)',
  };
  return { variables: {}, light: common, dark: common };
};
