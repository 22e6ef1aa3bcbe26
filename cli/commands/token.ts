import { TOKEN_STATUS, type Token } from '../../core/tokens/token.ts'
import { displayedToken, TOKEN_COLUMNS } from '../columns/token.ts'
import { positiveInt, positiveInts } from '../input/arguments.ts'
import { bulkVerb, noun, showVerb, type VerbTarget } from '../run/verbs.ts'
import { tokenCreate } from './token/create.ts'
import { tokenList } from './token/list.ts'
import { tokenUpdate } from './token/update.ts'
import { tokenUsage } from './token/usage.ts'

const IDS = ['<id...>', 'token.tokenIDs', positiveInts] as const

export const token = noun('token', [
  tokenCreate,
  tokenList,
  showVerb({
    name: 'get',
    description: 'token.showATokenAndItsLimits',
    examples: ['tollgate token get 1'],
    syntax: (command) =>
      command.argument('<id>', 'token.tokenId', positiveInt).option('--show-key', 'token.printTheFullKey'),
    columns: TOKEN_COLUMNS,
    async record({ toolkit, actor }, id: number, { showKey }: { showKey?: true }) {
      const token = await toolkit.tokens.get(actor, id)
      const { user_id } = token
      const owner = user_id === actor.id ? toolkit.profile.get(actor) : toolkit.accounts.get(actor, user_id)
      // A management key may have the right to read tokens, but not users. The user name is then omitted.
      const username = await Promise.resolve(owner).then(
        (user) => user.username,
        () => undefined,
      )
      return { ...displayedToken(token, { wholeKey: showKey === true }), ...(username && { username }) }
    },
  }),
  tokenUsage,
  tokenUpdate,
  bulkVerb({
    name: 'enable',
    description: 'token.enableTokens',
    examples: ['tollgate token enable 1'],
    argument: IDS,
    async check({ toolkit, actor }, id: number) {
      const { checkUsable } = await import('../../core/tokens/checks.ts')
      const token = await toolkit.tokens.get(actor, id)
      checkUsable(token, Date.now() / 1000)
      return token
    },
    run: (gateway, token) => setStatus(gateway, token, TOKEN_STATUS.enabled),
    doneText: ({ t }, { id, name }) => t('token.enabledToken', { id, name }),
  }),
  bulkVerb({
    name: 'disable',
    description: 'token.disableTokens',
    examples: ['tollgate token disable 1'],
    argument: IDS,
    check: ({ toolkit, actor }, id: number) => toolkit.tokens.get(actor, id),
    run: (gateway, token) => setStatus(gateway, token, TOKEN_STATUS.disabled),
    doneText: ({ t }, { id, name }) => t('token.disabledToken', { id, name }),
  }),
  bulkVerb({
    name: 'delete',
    description: 'token.deleteTokensPermanently',
    examples: ['tollgate token delete 1 --yes'],
    argument: IDS,
    check: ({ toolkit, actor }, id: number) => toolkit.tokens.get(actor, id),
    confirm({ t }, tokens) {
      const names = tokens.map(({ name }) => name).join(', ')
      return t('token.deleteProgramsThatUse', { names })
    },
    async run({ toolkit, actor }, token) {
      await toolkit.tokens.delete(actor, token.id)
      return token
    },
    doneText: ({ t }, { id, name }) => t('general.deletedToken', { id, name }),
    json: (deleted) => ({ deleted: deleted.map(({ id }) => id) }),
  }),
])

async function setStatus({ toolkit, actor }: VerbTarget, { id }: Token, status: number): Promise<Token> {
  return displayedToken(await toolkit.tokens.setStatus(actor, id, status))
}
