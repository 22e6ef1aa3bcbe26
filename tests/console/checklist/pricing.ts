import type { CoverageRow } from './row.ts'

const BROWSER = 'tests/console/browser/pricing.test.ts'
const UNIT = 'tests/console/pages/pricing/prices.test.ts'
const EVERYBODY = `${BROWSER} › the prices › are public: without login those of the default group`
const OWN = `${BROWSER} › the prices › are those of the user's group after sign-in, and of any other chosen group`
const FOUND = `${BROWSER} › the prices › are filtered by name, billing type and usable models`
const RATIO = 'tests/console/components/group-ratio.test.ts › a group ratio of %d is %s'

export const rows: CoverageRow[] = [
  { spec: 'B §2', line: 'Pricing: searchable model table', test: FOUND },
  { spec: 'B §2', line: 'Pricing: public; the default group ratio when logged out', test: EVERYBODY },
  { spec: 'B §2', line: "Pricing: the user's group ratio when logged in", test: OWN },
  {
    spec: 'B §3',
    line: 'Pricing model: model_name, quota_type, model_ratio, completion_ratio, enable_groups',
    test: EVERYBODY,
  },
  { spec: 'B §3', line: 'The response carries group_ratio and usable_group', test: OWN },
  { spec: 'B §4', line: 'Billing type 1 per call (按次计费), 0 per usage (按量计费)', test: EVERYBODY },
  { spec: 'B §6', line: 'Pricing is public', test: EVERYBODY },
  { spec: 'B §7', line: 'GET /api/pricing: data, group_ratio, usable_group', test: EVERYBODY },
  {
    spec: 'B §9',
    line: 'Formula: group ratio × model ratio × (prompt tokens + completion tokens × completion ratio) / 500000 dollars',
    test: EVERYBODY,
  },
  {
    spec: 'B §9',
    line: 'Price per 1M tokens: model ratio × 2 × group ratio for prompt, × completion ratio for completion',
    test: `${UNIT} › the price of a model › by usage is model ratio × 2 × group ratio for a million prompt tokens, times the completion ratio for output`,
  },
  { spec: 'A §9', line: 'Group ratio tag: above 5 red, above 3 orange, above 1 blue, otherwise green', test: RATIO },
]
