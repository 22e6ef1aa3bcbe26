import { useCallback, useState } from 'react'
import { ROLE } from '../../../core/actor.ts'
import { TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { shownToken, TOKEN_COLUMNS } from '../../columns/token.ts'
import type { Binding } from '../bindings.ts'
import { useDesk } from '../desk.ts'
import { TokenForm } from '../forms/token.tsx'
import { type ListControl, type ListQuery, ListScreen } from '../list-screen.tsx'
import { Sheet, useRecordLines } from '../sheet.tsx'

const EVERYBODY = 0

/** API keys: the own ones; for root, with `u`, those of everybody. */
export function TokensScreen() {
  const { toolkit, actor, say, text, ask } = useDesk()
  const [everybody, setEverybody] = useState(false)
  const linesOf = useRecordLines()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) => {
      const ownerId = everybody ? EVERYBODY : actor.id
      const page = await toolkit.tokens.list(actor, { ...paging, ownerId, ...(keyword && { keyword }) })
      return { ...page, items: page.items.map((token) => shownToken(token)) }
    },
    [toolkit, actor, everybody],
  )

  function bindings(token: Token | undefined, list: ListControl): Binding[] {
    const create = {
      keys: ['a'],
      shown: 'a',
      label: text('create'),
      run: () => list.show(<TokenForm list={list} />),
    }
    const whose = {
      keys: ['u'],
      shown: 'u',
      label: everybody ? text('only my own') : text("everybody's"),
      run: () => setEverybody(!everybody),
    }
    const forRoot = actor.role >= ROLE.root ? [whose] : []
    if (!token) return [create, ...forRoot]
    const { id, name } = token
    const enabled = token.status === TOKEN_STATUS.enabled
    return [
      {
        keys: ['enter'],
        shown: 'Enter',
        label: text('open'),
        run: () =>
          list.show(<Sheet title={say`Token ${name}`} lines={linesOf(token, TOKEN_COLUMNS)} onClose={list.close} />),
      },
      {
        keys: [' '],
        shown: 'Space',
        label: enabled ? text('disable') : text('enable'),
        run: () =>
          list.act(say`Changing token ${name} …`, async () => {
            const status = enabled ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled
            await toolkit.tokens.setStatus(actor, id, status)
            return enabled ? say`Token ${name} is disabled.` : say`Token ${name} is enabled.`
          }),
      },
      create,
      { keys: ['e'], shown: 'e', label: text('edit'), run: () => list.show(<TokenForm list={list} token={token} />) },
      {
        keys: ['d'],
        shown: 'd',
        label: text('delete'),
        run: () =>
          ask(say`Delete token ${name}? Programs that use its key are refused at once.`, () =>
            list.act(say`Deleting token ${name} …`, async () => {
              await toolkit.tokens.delete(actor, id)
              return say`Token ${name} is deleted.`
            }),
          ),
      },
      ...forRoot,
    ]
  }

  return (
    <ListScreen
      title={text('Tokens')}
      columns={TOKEN_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={text('No tokens yet: a creates one.')}
      searched={text('Part of a name')}
      note={everybody ? text("everybody's") : undefined}
      bindings={bindings}
    />
  )
}
