import type { CoverageRow } from './row.ts'

const HOME = 'tests/console/browser/home.test.ts'
const ABOUT = 'tests/console/browser/about.test.ts › the about page'
const FOOTER = 'tests/console/browser/footer.test.ts › the footer'
const KEPT =
  'tests/console/browser/footer.test.ts › the platform’s status › is stored in this browser, completely and by field'

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
    test: `${HOME} › the operator’s home page › cannot run scripts as its reader: Markdown with HTML`,
  },
  {
    spec: 'A §3',
    line: 'Content: Notice',
    test: `${HOME} › the announcement › opens once for each text, and by its bell afterward`,
  },
  {
    spec: 'A §3',
    line: 'Content: About',
    test: `${ABOUT} › shows the operator’s text, and a retry button if loading fails`,
  },
  {
    spec: 'A §3',
    line: 'Content: About cannot act as its reader',
    test: `${ABOUT} › cannot run scripts as its reader: Markdown with HTML`,
  },
  { spec: 'A §3', line: 'Content: Footer', test: `${FOOTER} › is the operator’s own if set` },
  {
    spec: 'A §3',
    line: 'Content: Footer cannot act as its reader',
    test: `${FOOTER} › cannot run scripts as its reader`,
  },
  {
    spec: 'A §3',
    line: 'Content: SystemName',
    test: `${HOME} › the default home page › shows the product, the address for programs, and examples for each client family`,
  },
  { spec: 'A §3', line: 'Platform status: all of its fields are stored locally', test: KEPT },
  {
    spec: 'B §2',
    line: '/ home',
    test: `${HOME} › the default home page › links visitors to sign in and sign up, users to the console, and all to the prices`,
  },
  {
    spec: 'B §2',
    line: '/about needs no login',
    test: `${ABOUT} › names this software and links to its documentation`,
  },
  { spec: 'B §2', line: 'Footer: product name and version (0.4.7.2.1)', test: `${FOOTER} › names product and version` },
  {
    spec: 'B §2',
    line: 'Footer: custom HTML when configured',
    test: `${FOOTER} › is the operator’s own if set`,
  },
  {
    spec: 'B §2',
    line: 'Footer HTML is polled up to 5 times at 200 ms intervals',
    test: `${FOOTER} › is searched for in this browser five times, 200 ms apart, while the server is silent`,
  },
  { spec: 'B §2', line: 'The enabled flags of the status are kept locally', test: KEPT },
  { spec: 'B §9', line: 'Footer version 0.4.7.2.1', test: `${FOOTER} › names product and version` },
]
