import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import { IconCopy } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ListedPrice, type PriceGroup, usePriceDetails, usePrices } from '../../api/pricing.ts'
import { useQuotaPerUnit } from '../../api/status.ts'
import { useSelf } from '../../api/users.ts'
import { useCopy } from '../../components/copy.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { GroupRatio } from '../../components/group-ratio.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useFilters, usePaging } from '../../components/paging.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { pricingColumns } from './columns.tsx'
import { ModelPage } from './model-page.tsx'
import { PriceFilterBar, type PricingFilters } from './price-filter-bar.tsx'
import { filterPrices, isSort, modelPriceOf, sortPrices } from './prices.ts'
import './pricing.css'

const NO_FILTERS: PricingFilters = { keyword: '', type: '', mine: '', provider: '', modality: '', group: '' }
const NO_PRICES: readonly ListedPrice[] = []
/** Values in the URL that are not filters: the order of the models, and the model whose page is open. */
const NO_VIEW = { sort: 'name', model: '' }

export default function PricingPage() {
  const { t } = useTranslation()
  const copy = useCopy()
  const { user } = useStore(session)
  const quotaPerUnit = useQuotaPerUnit()
  const { list, details, ownGroup } = usePricing()
  const paging = usePaging()
  const state = useFilters(NO_FILTERS)
  const { filters, setFilters, filtered } = state
  const view = useFilters(NO_VIEW)
  const sort = isSort(view.filters.sort) ? view.filters.sort : 'name'
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set())

  const groups = list.data?.groups ?? []
  const group = selectedGroupOf(groups, { selected: filters.group, fallback: ownGroup })
  const { keyword, type, mine, provider, modality } = filters
  const matches = useMemo(
    () =>
      list.data &&
      sortPrices(filterPrices(list.data.prices, { keyword, type, mine, provider, modality }, group?.name ?? ''), sort),
    [list.data, keyword, type, mine, provider, modality, group?.name, sort],
  )
  const items = matches?.slice((paging.page - 1) * paging.pageSize, paging.page * paging.pageSize) ?? []
  const columns = pricingColumns(t, {
    group,
    groups,
    price: (row) =>
      modelPriceOf(row, { groupRatio: group?.ratio ?? 1, quotaPerUnit, detail: details?.get(row.model_name) }),
    onCopy: (model) => void copy(model),
    onOpen: (model) => view.setFilters({ model }),
    onChoose: (name) => setFilters({ group: name }),
    signedIn: user !== undefined,
  })

  const openPrice = list.data?.prices.find(({ model_name }) => model_name === view.filters.model)
  if (openPrice) {
    const detail = details?.get(openPrice.model_name)
    return <ModelPage row={openPrice} signedIn={user !== undefined} {...{ detail, groups, group, quotaPerUnit }} />
  }

  return (
    <PageFrame title={t('screen.pricing')} extra={group && <GroupRatio group={group.name} ratio={group.ratio} />}>
      <PricingNote group={user && ownGroup} quotaPerUnit={quotaPerUnit} />
      <DataTable<ListedPrice>
        title={t('screen.pricing')}
        name="pricing"
        rowKey="model_name"
        columns={columns}
        listing={{ ...list, data: matches && { items, total: matches.length } }}
        paging={paging}
        selection={{ keys: [...selected], onChange: (keys) => setSelected(new Set(keys)), acrossPages: true }}
        allRows={async () => ({ rows: matches ?? [], cut: false })}
        toolbar={
          <>
            <PriceFilterBar
              state={state}
              prices={list.data?.prices ?? NO_PRICES}
              groups={groups}
              group={group}
              sort={sort}
              onSort={(sort) => view.setFilters({ sort })}
            />
            <Button
              icon={<IconCopy />}
              disabled={selected.size === 0}
              onClick={() => void copy([...selected].join(','))}
            >
              {selected.size > 0 ? t('pricing.copyCount', { count: selected.size }) : t('pricing.copySelected')}
            </Button>
          </>
        }
        filtered={filtered}
        empty={<EmptyState title={t('pricing.none')} hint={t('pricing.noneHint')} />}
      />
    </PageFrame>
  )
}

/** Explains the prices. `group` is undefined for visitors. */
function PricingNote({ group, quotaPerUnit }: { group: string | undefined; quotaPerUnit: number }) {
  const { t } = useTranslation()
  return (
    <Alert
      type="info"
      className="pricing-note"
      content={
        <>
          {group === undefined ? t('pricing.visitor') : t('pricing.yourGroup', { group })}
          <br />
          {t('pricing.formula', { unit: quotaPerUnit })}
        </>
      }
    />
  )
}

const DEFAULT_GROUP = 'default'

/** Loads the prices, their details for signed-in users, and the user's group. Visitors have the default group. */
function usePricing() {
  const { user } = useStore(session)
  const signedIn = user !== undefined
  const list = usePrices()
  const details = usePriceDetails({ enabled: signedIn })
  // The user's group may have changed since sign-in.
  const self = useSelf({ enabled: signedIn })
  const ownGroup = self.data?.group ?? user?.group ?? DEFAULT_GROUP
  return { list, details: details.data, ownGroup }
}

/** Returns the selected group if it exists, else the group `fallback`, else the first group. */
function selectedGroupOf(
  groups: readonly PriceGroup[],
  { selected, fallback }: { selected: string; fallback: string },
) {
  return groups.find(({ name }) => name === selected) ?? groups.find(({ name }) => name === fallback) ?? groups[0]
}
