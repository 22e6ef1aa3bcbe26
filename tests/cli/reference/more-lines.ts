/** Examples that never end, that ask somebody, or that need another machine; and the tests that run them. */
export const OTHERWISE_TESTED: readonly { lines: RegExp; where: string }[] = [
  { lines: /^tollgate serve\b/, where: 'tests/cli/serve.test.ts' },
  { lines: /^tollgate demo\b/, where: 'tests/cli/demo.test.ts' },
  { lines: /^tollgate ui\b/, where: 'tests/cli/ui/' },
  { lines: /^tollgate init\b/, where: 'tests/cli/init.test.ts' },
  { lines: /^tollgate login https:\/\/gateway.example$/, where: 'tests/cli/commands/login.test.ts' },
]

/** Examples that the world here must refuse, and what is said then: a mail server, a payment or another user would be needed. */
export const REFUSED: readonly { lines: RegExp; says: RegExp }[] = [
  { lines: /^tollgate account verify-email .*--code/, says: /verification code is incorrect/ },
  { lines: /^tollgate account verify-email/, says: /mail server is not configured/ },
  { lines: /^tollgate account reset-password .*--token/, says: /reset link is invalid/ },
  { lines: /^tollgate account reset-password/, says: /not registered/ },
  { lines: /^tollgate account delete/, says: /super administrator account cannot be deleted/ },
  { lines: /^tollgate wallet replay/, says: /callback 1 does not exist/ },
]

/** Command lines for calls that no example makes, on a server. */
export const MORE_LINES: readonly string[] = []
