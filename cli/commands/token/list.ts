import { displayedToken, TOKEN_COLUMNS } from '../../columns/token.ts'
import { usageError } from '../../errors.ts'
import { type ListFlags, pageOf, showList, withListFlags } from '../../output/listing.ts'
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
  description: 'token.listTokens',
  examples: ['tollgate token list --search app', 'tollgate token list --everybody --json'],
  syntax: (command) =>
    withListFlags(
      command
        .option('--search <text>', 'token.filterByPartOfTheName')
        .option('--key <text>', 'token.filterByPartOfTheKey')
        .option('--key-stdin', 'token.theSameFromStdin')
        .option('--user <name|id>', 'token.ofAnotherUser')
        .option('--everybody', 'token.ofAllUsers'),
      TOKEN_COLUMNS,
    ),
  async run(cli, { search, key, keyStdin, user, everybody, ...flags }: Options) {
    if (everybody && user !== undefined) throw usageError(cli.t('token.passEitherUserOrEverybody'))
    if (key !== undefined && keyStdin) throw usageError(cli.t('token.passEitherKeyOrKeyStdin'))
    const byKey = key !== undefined || keyStdin === true
    if (byKey && (everybody || user !== undefined)) throw usageError(cli.t('token.onlyYourOwnTokens'))
    const part = keyStdin ? await cli.readInput() : (key ?? '')
    if (byKey && part === '') throw usageError(cli.t('token.theKeyToSearch'))
    const { toolkit, actor } = await cli.open()
    const keyword = search === undefined ? {} : { keyword: search }
    const ownerId = everybody ? EVERYBODY : user === undefined ? actor.id : await userIdOf(toolkit, actor, user)
    // Lists of the actor's own tokens omit the owner.
    const username = ownerId === actor.id ? (await toolkit.profile.get(actor)).username : undefined
    // The search API returns all matches at once, without pages.
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
      { columns: TOKEN_COLUMNS, empty: cli.t('token.noTokens') },
    )
  },
})
