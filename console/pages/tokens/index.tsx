import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { IconCopy, IconPlus } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteToken, fullKeyOf, listTokens, TOKEN_STATUS, type Token } from '../../api/tokens.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { useCopy } from '../../components/copy.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { everyPage } from '../../components/data-table/every-page.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { onDemand } from '../../components/on-demand.tsx'
import { useOpened } from '../../components/opened.ts'
import { PageFrame } from '../../components/page.tsx'
import { useFilters, usePaging } from '../../components/paging.ts'
import { useConfirmedDelete } from '../../components/saving.ts'
import { useStableHandlers } from '../../components/stable-handlers.ts'
import { tokenColumns } from './columns.tsx'
import type { TokenHandlers } from './token-actions.tsx'
import { type TokenFilters, useTokenLimits, useTokens } from './use-tokens.ts'

// The code of these windows loads when the windows open, because most visits do not open them.
const TokenDrawer = onDemand(
  async () => (await import('./token-drawer.tsx')).TokenDrawer,
  ({ opened }) => opened !== undefined,
)
const KeyDialog = onDemand(
  async () => (await import('./key-dialogs.tsx')).KeyDialog,
  ({ token }) => token !== undefined,
)
const NewTokens = onDemand(
  async () => (await import('./key-dialogs.tsx')).NewTokens,
  ({ tokens }) => tokens.length > 0,
)

const NO_FILTERS = { keyword: '' }

export default function TokensPage() {
  const { t } = useTranslation()
  const copy = useCopy()
  const paging = usePaging()
  const { filters: urlFilters, setFilters, clear, filtered: hasUrlFilters, count } = useFilters(NO_FILTERS)
  // Unlike other filters, the key is not in the URL, because the browser history and proxy logs store URLs.
  const [keyFilter, setKeyFilter] = useState('')
  const filters: TokenFilters = { ...urlFilters, key: keyFilter }
  const filtered = hasUrlFilters || keyFilter !== ''
  const { listing, toggle } = useTokens(filters, paging, t('action.done'))
  const { opened: openId, open, close } = useOpened()
  const [createdTokens, setCreatedTokens] = useState<readonly Token[]>([])
  const [viewedToken, setViewedToken] = useState<Token>()
  const [selectedIds, setSelectedIds] = useState<(string | number)[]>([])
  // Excludes selected rows of other pages, because the user must not copy rows that are not visible.
  const selectedTokens = (listing.data?.items ?? []).filter(({ id }) => selectedIds.includes(id))
  const limits = useTokenLimits()
  const handlers = useTokenHandlers({ toggle, onView: setViewedToken, onEdit: ({ id }) => open(id) })
  const columns = useMemo(() => tokenColumns(t, handlers, limits), [t, handlers, limits])

  function clearAll() {
    setKeyFilter('')
    clear()
  }

  function copySelected() {
    if (selectedTokens.length === 0) Message.error(t('token.selectOne'))
    else void copy(selectedTokens.map((token) => `${token.name}    ${fullKeyOf(token)}`).join('\n'))
  }

  const addButton = (
    <Button type="primary" icon={<IconPlus />} onClick={() => open('new')}>
      {t('token.add')}
    </Button>
  )
  return (
    <PageFrame title={t('screen.token')} extra={addButton}>
      <DataTable
        title={t('screen.token')}
        name="token"
        rowKey="id"
        columns={columns}
        listing={listing}
        paging={paging}
        onOpen={handlers.onEdit}
        selection={{ keys: selectedTokens.map(({ id }) => id), onChange: setSelectedIds }}
        allRows={() => everyPage(({ page, pageSize }) => listTokens({ page, pageSize, ...filters }))}
        toolbar={
          <>
            <FilterBar
              fields={[
                { name: 'keyword', label: t('token.searchName') },
                { name: 'key', label: t('token.searchKey') },
              ]}
              values={filters}
              count={count + (keyFilter === '' ? 0 : 1)}
              onSearch={({ keyword, key }) => {
                setKeyFilter(key)
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
        empty={<EmptyState title={t('token.none')} hint={t('token.noneHint')} action={addButton} />}
      />
      <TokenDrawer
        opened={openId}
        onClose={close}
        onCreated={(tokens) => setCreatedTokens((previous) => [...previous, ...tokens])}
      />
      <KeyDialog token={viewedToken} onClose={() => setViewedToken(undefined)} />
      <NewTokens tokens={createdTokens} onClose={() => setCreatedTokens([])} />
    </PageFrame>
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
  const address = useBaseAddress()
  const remove = useConfirmedDelete({ run: deleteToken, stale: ['token'] })

  return useStableHandlers({
    onCopy: (token: Token) => void copy(fullKeyOf(token)),
    onView,
    onToggle: ({ id, status }: Token) =>
      toggle.click({ id, status: status === TOKEN_STATUS.enabled ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled }),
    onEdit,
    onCopyEnvironment: (token: Token) => void copy(environmentOf(token, address)),
    onCopyCurl: (token: Token) => void copy(curlOf(token, address)),
    onDelete: (token: Token) => remove(t('token.deleteQuestion', { name: token.name }), token),
  } satisfies TokenHandlers)
}

/** Returns shell commands that set the address and key for the client libraries of OpenAI and Anthropic. */
function environmentOf(token: Token, address: string): string {
  return [
    `export OPENAI_BASE_URL="${address}/v1"`,
    `export OPENAI_API_KEY="${fullKeyOf(token)}"`,
    `export ANTHROPIC_BASE_URL="${address}"`,
    `export ANTHROPIC_API_KEY="${fullKeyOf(token)}"`,
  ].join('\n')
}

/** Returns a curl command that lists the models of the key. */
const curlOf = (token: Token, address: string): string =>
  `curl ${address}/v1/models \\\n  -H "Authorization: Bearer ${fullKeyOf(token)}"`
