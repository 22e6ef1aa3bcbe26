import type { Page } from '../../../core/input.ts'
import type { Token } from '../../../core/tokens/token.ts'
import { displayedToken, TOKEN_COLUMNS } from '../../columns/token.ts'
import { usageError } from '../../errors.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'
import { plainVerb } from '../../run/verbs.ts'
import { userIdOf } from '../../users.ts'

interface Options extends ListFlags {
  search?: string
  key?: string
  keyStdin?: true
  user?: string
  everybody?: true
}

const EVERYBODY = 0

export const tokenList = plainVerb({
  name: 'list',
  description: 'List API keys, newest first',
  examples: ['tollgate token list --search app', 'tollgate token list --everybody --json'],
  syntax: (command) =>
    withListFlags(
      command
        .option('--search <text>', 'only names that contain this')
        .option('--key <text>', 'only your own whose key contains this')
        .option('--key-stdin', 'the same with a line of stdin, so that a whole key is in no list of processes')
        .option('--user <name|id>', "another user's instead of your own; for root")
        .option('--everybody', "all users'; for root"),
    ),
  async run(cli, { search, key, keyStdin, user, everybody, ...flags }: Options) {
    if (everybody && user !== undefined) throw usageError(cli.say`give either --user or --everybody, not both`)
    if (key !== undefined && keyStdin) throw usageError(cli.say`give either --key or --key-stdin, not both`)
    const byKey = key !== undefined || keyStdin === true
    if (byKey && (everybody || user !== undefined)) {
      throw usageError(cli.say`only your own tokens can be found by their key: leave --user and --everybody out`)
    }
    const part = keyStdin ? await cli.readInput() : (key ?? '')
    if (byKey && part === '') throw usageError(cli.say`the part of a key to look for is empty`)
    const { toolkit, actor } = await cli.open()
    const keyword = search === undefined ? {} : { keyword: search }
    const ownerId = everybody ? EVERYBODY : user === undefined ? actor.id : await userIdOf(toolkit, actor, user)
    // Lists of the actor's own tokens omit the owner.
    const username = ownerId === actor.id ? (await toolkit.profile.get(actor)).username : undefined
    // The search API is not paged, so pages are cut here.
    const matches = byKey ? await toolkit.tokens.search(actor, { ...keyword, key: part }) : undefined
    await showList(
      cli,
      flags,
      async (paging) => {
        const tokens = matches
          ? pageOf(matches, paging)
          : await toolkit.tokens.list(actor, { ownerId, ...keyword, ...paging })
        return {
          ...tokens,
          items: tokens.items.map((token) => ({
            ...displayedToken(token),
            username: token.username ?? username ?? '',
          })),
        }
      },
      { columns: TOKEN_COLUMNS, empty: cli.say`No tokens. Create one with: tollgate token create <name>` },
    )
  },
})

function pageOf(tokens: readonly Token[], { page, pageSize }: { page: number; pageSize: number }): Page<Token> {
  const items = tokens.slice((page - 1) * pageSize, page * pageSize)
  return { items, total: tokens.length, page, page_size: pageSize }
}
