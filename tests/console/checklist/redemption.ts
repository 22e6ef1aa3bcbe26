import type { CoverageRow } from './row.ts'

const BROWSER = 'tests/console/browser/redemption.test.ts'
const FORM = 'tests/console/pages/redemption/redemption-form.test.ts'
const CHECKED = `${BROWSER} › new redemption codes › are validated`
const OFFERED = `${BROWSER} › new redemption codes › are named after their value, and offered as a file of that name`
const UNUSED = `${BROWSER} › a redemption code in the list › can be copied, shown, disabled, edited and deleted while it is unused`
const USED = `${BROWSER} › a redemption code in the list › can be neither enabled nor edited after use, and names its user`
const MANY = `${BROWSER} › many redemption codes › are filtered by name, id and status, and copied together`

export const rows: CoverageRow[] = [
  { spec: 'B §2', line: 'Redemption (admin): search', test: MANY },
  { spec: 'B §2', line: 'Redemption: add, create drawer', test: OFFERED },
  { spec: 'B §2', line: 'Redemption: copy selected', test: MANY },
  { spec: 'B §2', line: 'Redemption: edit drawer', test: UNUSED },
  { spec: 'B §3', line: 'Redemption: name, key, status, quota, created_time', test: UNUSED },
  { spec: 'B §3', line: 'Redemption: count on create alone', test: OFFERED },
  { spec: 'B §3', line: 'Redemption: used_user_id', test: USED },
  { spec: 'B §4', line: 'Redemption status 1 unused, 2 disabled', test: UNUSED },
  { spec: 'B §4', line: 'Redemption status 3 used', test: USED },
  { spec: 'B §4', line: 'The enable button is disabled when used', test: USED },
  { spec: 'B §4', line: 'Edit is allowed only when unused', test: USED },
  { spec: 'B §5', line: 'Redemption: an empty name defaults to the formatted quota', test: OFFERED },
  { spec: 'B §5', line: 'Redemption: quota and count are integers', test: `${FORM} › %s codes at once: %s` },
  { spec: 'B §5', line: 'Copy selected with none: 请至少选择一个兑换码！', test: MANY },
  {
    spec: 'B §6',
    line: 'Redemption is for administrators only',
    test: 'tests/console/browser/every-screen.test.ts › a common user › sees on administrator screens that access is denied',
  },
  { spec: 'B §7', line: 'GET /api/redemption/?p&page_size', test: UNUSED },
  { spec: 'B §7', line: 'GET /api/redemption/search?keyword&p&page_size', test: MANY },
  { spec: 'B §7', line: 'GET /api/redemption/{id}, PUT /api/redemption/', test: UNUSED },
  { spec: 'B §7', line: 'POST /api/redemption/: the codes as a text file named after the code name', test: OFFERED },
  { spec: 'B §7', line: 'PUT /api/redemption/?status_only=true', test: UNUSED },
  { spec: 'B §7', line: 'DELETE /api/redemption/{id}/', test: UNUSED },
  { spec: 'B §9', line: 'Default redemption quota 100000, count 1', test: CHECKED },
  { spec: 'B §9', line: 'Batch generation capped at 100', test: CHECKED },
  { spec: 'B §9', line: 'Code name 1 to 20 characters', test: CHECKED },
]
