import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { IconCopy, IconPlus } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteToken, fullKeyOf, listTokens, TOKEN_STATUS, type Token } from '../../api/tokens.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { useConfirm } from '../../components/confirm.tsx'
import { useCopy } from '../../components/copy.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { everyPage } from '../../components/data-table/every-page.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { onDemand } from '../../components/on-demand.tsx'
import { useOpened } from '../../components/opened.ts'
import { Page } from '../../components/page.tsx'
import { useFilters, usePaging } from '../../components/paging.ts'
import { useAction } from '../../components/saving.ts'
import { useStableHandlers } from '../../components/stable-handlers.ts'
import { tokenColumns } from './columns.tsx'
import type { TokenHandlers } from './token-actions.tsx'
import { type TokenFilters, useTokenLimits, useTokens } from './use-tokens.ts'

// Loaded on demand, because most visits do not need these windows.
const TokenDrawer = onDemand(
  async () => (await import('./token-drawer.tsx')).TokenDrawer,
  ({ opened }) => opened !== undefined,
)
const KeyDialog = onDemand(
  async () => (await import('./key-dialog.tsx')).KeyDialog,
  ({ token }) => token !== undefined,
)
const NewTokens = onDemand(
  async () => (await import('./new-tokens.tsx')).NewTokens,
  ({ tokens }) => tokens.length > 0,
)

const NO_FILTERS = { keyword: '' }

export default function TokensPage() {
  const { t } = useTranslation()
  const copy = useCopy()
  const paging = usePaging()
  const { filters: named, setFilters, clear, filtered: byName, count } = useFilters(NO_FILTERS)
  // Keys are secret: in the URL they would reach the history and proxy logs.
  const [key, setKey] = useState('')
  const filters: TokenFilters = { ...named, key }
  const filtered = byName || key !== ''
  const { listing, toggle } = useTokens(filters, paging, t('action.done'))
  const { opened, open, close } = useOpened()
  const [created, setCreated] = useState<readonly Token[]>([])
  const [viewed, setViewed] = useState<Token>()
  const [keys, setKeys] = useState<(string | number)[]>([])
  // Only of this page: hidden rows must not be copied.
  const selected = (listing.data?.items ?? []).filter(({ id }) => keys.includes(id))
  const limits = useTokenLimits()
  const handlers = useTokenHandlers({ toggle, onView: setViewed, onEdit: ({ id }) => open(id) })
  const columns = useMemo(() => tokenColumns(t, handlers, limits), [t, handlers, limits])

  function clearAll() {
    setKey('')
    clear()
  }

  function copySelected() {
    if (selected.length === 0) Message.error(t('token.selectOne'))
    else void copy(selected.map((token) => `${token.name}    ${fullKeyOf(token)}`).join('\n'))
  }

  const add = (
    <Button type="primary" icon={<IconPlus />} onClick={() => open('new')}>
      {t('token.add')}
    </Button>
  )
  return (
    <Page title={t('screen.token')} extra={add}>
      <DataTable
        title={t('screen.token')}
        name="token"
        rowKey="id"
        columns={columns}
        listing={listing}
        paging={paging}
        onOpen={handlers.onEdit}
        selection={{ keys: selected.map(({ id }) => id), onChange: setKeys }}
        allRows={() => everyPage(({ page, pageSize }) => listTokens({ page, pageSize, ...filters }))}
        toolbar={
          <>
            <FilterBar
              fields={[
                { name: 'keyword', label: t('token.searchName') },
                { name: 'key', label: t('token.searchKey') },
              ]}
              values={filters}
              count={count + (key === '' ? 0 : 1)}
              onSearch={({ keyword, key }) => {
                setKey(key)
                setFilters({ keyword })
              }}
              onClear={filtered ? clearAll : undefined}
            />
            <Button icon={<IconCopy />} onClick={copySelected}>
              {t('token.copySelected')}
            </Button>
          </>
        }
        filtered={filtered}
        empty={<EmptyState title={t('token.none')} hint={t('token.noneHint')} action={add} />}
      />
      <TokenDrawer
        opened={opened}
        onClose={close}
        onCreated={(tokens) => setCreated((before) => [...before, ...tokens])}
      />
      <KeyDialog token={viewed} onClose={() => setViewed(undefined)} />
      <NewTokens tokens={created} onClose={() => setCreated([])} />
    </Page>
  )
}

/** The actions of a token's row. */
function useTokenHandlers({
  toggle,
  onView,
  onEdit,
}: Pick<TokenHandlers, 'onView' | 'onEdit'> & Pick<ReturnType<typeof useTokens>, 'toggle'>): TokenHandlers {
  const { t } = useTranslation()
  const copy = useCopy()
  const confirm = useConfirm()
  const address = useBaseAddress()
  const removing = useAction({ run: deleteToken, done: t('action.done'), stale: ['token'] })

  return useStableHandlers({
    onCopy: (token: Token) => void copy(fullKeyOf(token)),
    onView,
    onToggle: ({ id, status }: Token) =>
      toggle.click({ id, status: status === TOKEN_STATUS.enabled ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled }),
    onEdit,
    onCopyEnvironment: (token: Token) => void copy(environmentOf(token, address)),
    onCopyCurl: (token: Token) => void copy(curlOf(token, address)),
    onDelete: (token: Token) =>
      confirm({
        title: t('token.deleteQuestion', { name: token.name }),
        okText: t('action.delete'),
        danger: true,
        onOk: () => removing.mutateAsync(token),
      }),
  } satisfies TokenHandlers)
}

/** Returns environment variables that let clients using OpenAI's or Anthropic's library call the gateway with the key. */
function environmentOf(token: Token, address: string): string {
  const base = address.replace(/\/+$/, '')
  return [
    `export OPENAI_BASE_URL="${base}/v1"`,
    `export OPENAI_API_KEY="${fullKeyOf(token)}"`,
    `export ANTHROPIC_BASE_URL="${base}"`,
    `export ANTHROPIC_API_KEY="${fullKeyOf(token)}"`,
  ].join('\n')
}

/** Returns a first request for a shell. */
function curlOf(token: Token, address: string): string {
  return [`curl ${address.replace(/\/+$/, '')}/v1/models \\`, `  -H "Authorization: Bearer ${fullKeyOf(token)}"`].join(
    '\n',
  )
}
