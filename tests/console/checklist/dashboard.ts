import type { CoverageRow } from './row.ts'

const DASHBOARD = 'tests/console/browser/dashboard.test.ts'
const COMMON = `${DASHBOARD} › the dashboard of a common user`
const ADMIN = `${DASHBOARD} › the dashboard of an administrator`
const off = `${ADMIN} › says that it is disabled, where no menu links to it`
const figures = `${COMMON} › shows the user's figures, charts, and the same data in tables`
const granularity = `${COMMON} › groups by hour, day or week, as the platform sets until the user chooses`

export const rows: CoverageRow[] = [
  { spec: 'B §2', line: '/detail: dashboard, behind the login', test: figures },
  { spec: 'B §2', line: 'The side menu has the dashboard only when data export is enabled', test: off },
  { spec: 'B §6', line: 'The dashboard’s entry depends on a flag of the server', test: off },
  { spec: 'A §3', line: 'data_export_default_time: hour, day or week', test: granularity },
  { spec: 'A §3', line: 'enable_data_export', test: off },
  { spec: 'A §9', line: 'Token counts: k from 10,000', test: figures },
  {
    spec: 'A §9',
    line: 'Token counts: M and B',
    test: 'tests/console/components/amounts.test.ts › counts are full up to 9 999 and abbreviated from 10 000',
  },
  { spec: 'A §9', line: 'Currency mode: $ and two decimals', test: figures },
  {
    spec: 'A §9',
    line: 'Quota without currency mode: a count, k, M and B',
    test: 'tests/console/components/amounts.test.ts › quota is a count if the platform shows no money',
  },
  {
    spec: 'B §9',
    line: 'Dashboard sync every 10 to 20 minutes',
    test: 'not built: the gateway counts with each charge, so the dashboard is up to date at once',
  },
]
