import type { CoverageRow } from './row.ts'

const HOME = 'tests/console/browser/home.test.ts'
const ABOUT = 'tests/console/browser/about.test.ts › the about page'
const FOOTER = 'tests/console/browser/footer.test.ts › the footer'
const KEPT =
  'tests/console/browser/footer.test.ts › the platform’s status › is kept in this browser, whole and field by field'

/** Home, about, the announcement, the footer, and what is kept of the platform's status. */
export const rows: CoverageRow[] = [
  {
    spec: 'A §3',
    line: 'Content: HomePageContent',
    test: `${HOME} › the operator’s home page › is Markdown, a document or an address in a frame`,
  },
  {
    spec: 'A §3',
    line: 'Content: HomePageContent cannot act as its reader',
    test: `${HOME} › the operator’s home page › cannot act as its reader: Markdown with HTML`,
  },
  {
    spec: 'A §3',
    line: 'Content: Notice',
    test: `${HOME} › the announcement › opens once for each text, and by its bell afterwards`,
  },
  {
    spec: 'A §3',
    line: 'Content: About',
    test: `${ABOUT} › shows the operator’s text, which can be asked for again when it cannot be had`,
  },
  {
    spec: 'A §3',
    line: 'Content: About cannot act as its reader',
    test: `${ABOUT} › cannot act as its reader: Markdown with HTML`,
  },
  { spec: 'A §3', line: 'Content: Footer', test: `${FOOTER} › is the operator’s own where there is one` },
  { spec: 'A §3', line: 'Content: Footer cannot act as its reader', test: `${FOOTER} › cannot act as its reader` },
  {
    spec: 'A §3',
    line: 'Content: SystemName',
    test: `${HOME} › the home page as it comes › says what this is, where programs reach it, and how each family of clients begins`,
  },
  { spec: 'A §3', line: 'Platform status: all of its fields are stored locally', test: KEPT },
  {
    spec: 'B §2',
    line: '/ home',
    test: `${HOME} › the home page as it comes › leads visitors to sign in or up, users to the console, and all to the prices`,
  },
  {
    spec: 'B §2',
    line: '/about needs no login',
    test: `${ABOUT} › says which software this is, and where its documentation is`,
  },
  { spec: 'B §2', line: 'Footer: product name and version (0.4.7.2.1)', test: `${FOOTER} › names product and version` },
  {
    spec: 'B §2',
    line: 'Footer: custom HTML when configured',
    test: `${FOOTER} › is the operator’s own where there is one`,
  },
  {
    spec: 'B §2',
    line: 'Footer HTML is polled up to 5 times at 200 ms intervals',
    test: `${FOOTER} › is looked for in this browser five times, 200 ms apart, while the server is silent`,
  },
  { spec: 'B §2', line: 'The enabled flags of the status are kept locally', test: KEPT },
  { spec: 'B §9', line: 'Footer version 0.4.7.2.1', test: `${FOOTER} › names product and version` },
]
