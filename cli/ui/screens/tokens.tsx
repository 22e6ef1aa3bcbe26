import { useCallback, useRef, useState } from 'react'
import { ROLE } from '../../../core/actor.ts'
import { TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { displayedToken, TOKEN_COLUMNS } from '../../columns/token.ts'
import { useCopy } from '../app-lifecycle.ts'
import { bindKey, type KeyBinding } from '../bindings.ts'
import { ofToken, useRequestKeys } from '../drill.tsx'
import { TokenForm } from '../forms/token.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { Sheet, useRecordLines } from '../sheet.tsx'
import { useStatusKeys } from '../status-keys.ts'
import { useUi } from '../ui-context.ts'

const EVERYBODY = 0

/** Screen with the API keys of the user. For root, pressing `u` shows the API keys of all users. */
export function TokensScreen() {
  const { toolkit, actor, t } = useUi()
  const [everybody, setEverybody] = useState(false)
  const ofRow = useTokenBindings()
  const ownName = useOwnName()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) => {
      const ownerId = everybody ? EVERYBODY : actor.id
      const page = await toolkit.tokens.list(actor, { ...paging, ownerId, ...(keyword && { keyword }) })
      // Lists of the user's own tokens omit the owner.
      const username = everybody ? undefined : await ownName()
      return {
        ...page,
        items: page.items.map((token) => ({ ...(username && { username }), ...displayedToken(token) })),
      }
    },
    [toolkit, actor, everybody, ownName],
  )

  function bindings(token: Token | undefined, list: RowControl<Token>): KeyBinding[] {
    const create = bindKey('a', t('ui.create'), () => list.show(<TokenForm list={list} />))
    const toggleOwner = bindKey('u', everybody ? t('ui.onlyMine') : t('ui.everyone'), () => setEverybody(!everybody))
    return [...(token ? ofRow(token, list) : []), create, ...(actor.role >= ROLE.root ? [toggleOwner] : [])]
  }

  return (
    <ListScreen
      title={t('ui.tokens')}
      columns={TOKEN_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={t('ui.noTokensYet')}
      searched={t('ui.searchByName')}
      note={everybody ? t('ui.everyone') : undefined}
      markable
      bindings={bindings}
    />
  )
}

/**
 * Returns a function that returns the user's name, and reads the name only once. If the read fails, the function
 * returns undefined, and its next call reads again.
 */
function useOwnName(): () => Promise<string | undefined> {
  const { toolkit, actor } = useUi()
  const cachedName = useRef<string | undefined>(undefined)
  return useCallback(async () => {
    cachedName.current ??= await Promise.resolve(toolkit.profile.get(actor)).then(
      ({ username }) => username,
      () => undefined,
    )
    return cachedName.current
  }, [toolkit, actor])
}

/** Returns a function that returns the key bindings for the token at the cursor, or for the marked tokens. */
function useTokenBindings() {
  const { toolkit, actor, t, notify, reason } = useUi()
  const drill = useRequestKeys()
  const statusKeys = useTokenStatusKeys()
  const linesOf = useRecordLines()
  const copy = useCopy()

  return (token: Token, list: RowControl<Token>): KeyBinding[] => {
    const { id, name } = token
    const subject = ofToken(token, actor.role)
    const copyKey: KeyBinding = bindKey(
      'y',
      t('ui.copyKey'),
      () => {
        // Reads the token again, because keys in lists are masked.
        Promise.resolve(toolkit.tokens.get(actor, id)).then(
          (whole) => copy(t('ui.theKeyOfToken', { name }), displayedToken(whole, { wholeKey: true }).key),
          (error: unknown) => notify(reason(error), 'bad'),
        )
      },
      { quiet: true },
    )
    const open = () => {
      const lines = linesOf(token, TOKEN_COLUMNS)
      const back = () => {
        const bindings = [...drill(subject, list, back), copyKey]
        list.show(<Sheet title={t('ui.tokenTitle', { name })} lines={lines} bindings={bindings} onClose={list.close} />)
      }
      back()
    }
    return [
      bindKey('enter', t('ui.open'), open),
      ...drill(subject, list),
      ...statusKeys(list),
      bindKey('e', t('ui.edit'), () => list.show(<TokenForm list={list} token={token} />)),
      copyKey,
    ]
  }
}

function useTokenStatusKeys() {
  const { toolkit, actor, t } = useUi()
  return useStatusKeys<Token>({
    isEnabled: ({ status }) => status === TOKEN_STATUS.enabled,
    setEnabled: async ({ id }, isEnabled) =>
      toolkit.tokens.setStatus(actor, id, isEnabled ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled),
    remove: async ({ id }) => toolkit.tokens.delete(actor, id),
    texts: {
      updating: [({ name }) => t('ui.updatingToken', { name }), (count) => t('ui.updatingTokens', { count })],
      enabled: [({ name }) => t('ui.enabledToken', { name }), (count) => t('ui.enabledTokens', { count })],
      disabled: [({ name }) => t('ui.disabledToken', { name }), (count) => t('ui.disabledTokens', { count })],
      deleting: [({ name }) => t('ui.deletingToken', { name }), (count) => t('ui.deletingTokens', { count })],
      deleted: [({ name }) => t('ui.deletedToken', { name }), (count) => t('ui.deletedTokens', { count })],
      confirmDelete: [({ name }) => t('ui.deleteToken', { name }), (count) => t('ui.deleteTokens', { count })],
    },
  })
}
