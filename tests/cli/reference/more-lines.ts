/** Examples that never end, that ask somebody, or that need another machine; and the tests that run them. */
export const OTHERWISE_TESTED: readonly { lines: RegExp; where: string }[] = [
  { lines: /^tollgate serve\b/, where: 'tests/cli/serve.test.ts' },
  { lines: /^tollgate demo\b/, where: 'tests/cli/demo.test.ts' },
  { lines: /^tollgate ui\b/, where: 'tests/cli/ui/' },
  { lines: /^tollgate init\b/, where: 'tests/cli/init.test.ts' },
  { lines: /\btollgate login\b|^tollgate (logout|profile remove)\b/, where: 'tests/cli/commands/login.test.ts' },
  { lines: /^tollgate account (verify-email|reset-password|delete)\b/, where: 'tests/cli/commands/account.test.ts' },
  { lines: /^tollgate wallet (transfer|replay)\b/, where: 'tests/cli/commands/wallet.test.ts' },
]

/** Command lines for calls that no example makes, on a server. */
export const MORE_LINES: readonly string[] = []
