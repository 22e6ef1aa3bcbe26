/** Examples that never end or need another setup, and the tests that run these examples. */
export const OTHERWISE_TESTED: readonly { lines: RegExp; where: string }[] = [
  { lines: /^tollgate serve\b/, where: 'tests/cli/serve.test.ts' },
  { lines: /^tollgate demo\b/, where: 'tests/cli/demo.test.ts' },
  { lines: /^tollgate init\b/, where: 'tests/cli/init.test.ts' },
  { lines: /^tollgate db restore\b/, where: 'tests/cli/commands/db-restore.test.ts' },
  { lines: /^tollgate import (new-api|one-api|undo)\b/, where: 'tests/cli/commands/import/import.test.ts' },
  { lines: /^tollgate import litellm\b/, where: 'tests/core/import/litellm.test.ts' },
  { lines: /^tollgate export\b/, where: 'tests/cli/commands/export.test.ts' },
  { lines: /^tollgate log archive --verify\b/, where: 'tests/cli/commands/log-archive.test.ts' },
  { lines: /^tollgate db copy\b/, where: 'tests/cli/commands/db-copy.test.ts' },
]

/**
 * Examples that must fail here, and their error messages. They need what this setup does not have, such as a
 * mail server, a payment, another user or a terminal.
 */
export const REFUSED: readonly { lines: RegExp; says: RegExp }[] = [
  { lines: /^tollgate ui\b/, says: /no terminal: tollgate ui/ },
  { lines: /^tollgate login https:\/\/gateway.example$/, says: /no terminal for prompts/ },
  {
    lines: /tollgate account verify-email .*--code/,
    says: /(verification code|current password) is (incorrect|wrong)/,
  },
  { lines: /^tollgate account verify-email/, says: /mail server is not configured/ },
  { lines: /^tollgate account reset-password .*--token/, says: /reset link is invalid/ },
  { lines: /^tollgate account reset-password/, says: /not registered/ },
  { lines: /^tollgate account delete/, says: /super administrator account cannot be deleted/ },
  { lines: /^tollgate notify test/, says: /the account has no mail address/ },
  { lines: /^tollgate wallet replay/, says: /callback 1 does not exist/ },
  { lines: /^tollgate channel models --type openai --base-url/, says: /upstream cannot be reached: ECONNREFUSED/ },
  { lines: /--method alipay/, says: /has not set up payment/ },
  { lines: /^tollgate team join/, says: /invite code is not valid/ },
  { lines: /^tollgate team leave/, says: /own team lab/ },
  { lines: /^tollgate team redeem/, says: /code/ },
  { lines: /^tollgate team receipt/, says: /is not in the log/ },
  { lines: /^tollgate batch cancel/, says: /was deleted or disabled/ },
  { lines: /^tollgate task get (1 --kind music|99)/, says: /does not exist/ },
]

/** Command lines for calls that no example makes. They run against a server, as the user `as` or else as root. */
export const MORE_LINES: readonly { line: string; as?: 'kim' }[] = [
  { line: 'printf password-of-ann | tollgate login https://gateway.example --username ann --password-stdin' },
  { line: 'tollgate config apply more.yaml --yes' },
  { line: 'tollgate status --about' },
  { line: 'tollgate status --home' },
  { line: 'tollgate channel health' },
  { line: 'tollgate channel test --all --detach' },
  { line: 'tollgate channel balance --all --detach' },
  { line: 'tollgate channel models --type openai --base-url http://127.0.0.1:1 --key sk-abc' },
  { line: 'tollgate token list --key abc' },
  { line: 'tollgate channel add --name many --type openai --models gpt-4o --batch key.txt' },
  { line: 'tollgate wallet top-up 10 --method alipay' },
  { line: 'tollgate log list --key-stdin < key.txt' },
  { line: 'tollgate log clear --before 1s --yes' },
  { line: 'tollgate user delete dave --for-good --yes' },
  { line: 'tollgate log stat', as: 'kim' },
  { line: 'tollgate log search 2', as: 'kim' },
  { line: 'tollgate log tail -n 5', as: 'kim' },
  { line: 'tollgate log export --format csv', as: 'kim' },
  { line: 'tollgate task list --kind drawing', as: 'kim' },
  { line: 'tollgate task list --kind music', as: 'kim' },
  { line: 'tollgate task get 99 --kind drawing', as: 'kim' },
  { line: 'tollgate task get 1 --kind music', as: 'kim' },
  { line: 'tollgate task get 1 --kind music' },
  { line: 'tollgate stat', as: 'kim' },
]
