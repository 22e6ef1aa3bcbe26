import type { CoverageRow } from './row.ts'

const FIRST = 'tests/console/browser/first-request.test.ts'
const REQUEST = 'tests/console/browser/request.test.ts › the page of a request'
const COMMON = 'tests/console/browser/dashboard.test.ts › the dashboard of a common user'
const ADMIN = 'tests/console/browser/dashboard.test.ts › the dashboard of an administrator'
const LOGIN = 'tests/console/browser/login.test.ts › the login page'

export const rows: CoverageRow[] = [
  {
    spec: 'beyond',
    line: 'First steps of root, checked off as they are done, to the first request',
    test: `${FIRST} › the first request › of a new gateway is sent by root with the console alone`,
  },
  {
    spec: 'beyond',
    line: 'First steps of an end user, from the sign-up, which signs in',
    test: `${FIRST} › the first request › of an end user is sent within a minute after sign-up`,
  },
  {
    spec: 'beyond',
    line: 'A key that is ready: base URL, key, examples with a model that it can use, Run it here',
    test: `${FIRST} › a new key › shows its address, examples with a usable model, and why a request failed`,
  },
  {
    spec: 'beyond',
    line: 'First steps can be put away, and found again',
    test: `${FIRST} › a new key › and the guide can be dismissed, and reopened`,
  },
  {
    spec: 'beyond',
    line: '/login?to= leads back, on the same origin',
    test: `${LOGIN} › leads to the page that a visitor requested, also via registration, and to no other site or account page`,
  },
  {
    spec: 'beyond',
    line: 'A request: attempts with their reasons, for administrators',
    test: `${REQUEST} › shows an administrator each attempt with its reason`,
  },
  {
    spec: 'beyond',
    line: 'A request: for its user what the client was told',
    test: `${REQUEST} › shows its user the reply to the client, and nothing about channels`,
  },
  {
    spec: 'beyond',
    line: 'A request of another user is not found',
    test: `${REQUEST} › of another user is not found, and another id can be entered there`,
  },
  {
    spec: 'beyond',
    line: 'A request that was served has its receipt',
    test: `${REQUEST} › of a reply has the receipt`,
  },
  {
    spec: 'beyond',
    line: 'What to do about ten kinds of failures',
    test: `${REQUEST} › explains ten kinds of failures by their ids`,
  },
  {
    spec: 'beyond',
    line: 'The dashboard has the own account apart from the usage of all users',
    test: `${ADMIN} › shows all users apart from the own account, or one user`,
  },
  {
    spec: 'beyond',
    line: 'The dashboard groups by model, user, token, channel and group; the others by the metric that is shown',
    test: `${ADMIN} › groups by user, channel and group › shows the eight largest by the chosen metric, and the others as one`,
  },
  {
    spec: 'beyond',
    line: 'Bars and names of the dashboard lead to their log rows',
    test: `${COMMON} › links from a bar, and from a name, to the log rows`,
  },
  {
    spec: 'beyond',
    line: 'The dashboard asks once every half minute',
    test: `${COMMON} › updates while it is open, by one small call`,
  },
]
