import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Checkbox from '@arco-design/web-react/es/Checkbox'
import Select from '@arco-design/web-react/es/Select'
import { IconCopy } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedPrice } from '../../api/pricing.ts'
import { useStatus } from '../../api/status.ts'
import { useCopy } from '../../components/copy.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { GroupRatio } from '../../components/group-ratio.tsx'
import { Page } from '../../components/page.tsx'
import { useFilters, usePaging } from '../../components/paging.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { MODALITIES, providerOf } from './catalog.ts'
import { priceColumns } from './columns.tsx'
import { ModelPage } from './model-page.tsx'
import './pricing.css'
import { isSort, matching, type PriceFilters, priceOf, SORTS, sorted } from './prices.ts'
import { groupOf, usePricing } from './use-pricing.ts'

const NO_FILTERS: PriceFilters & { group: string } = {
  keyword: '',
  type: '',
  mine: '',
  provider: '',
  modality: '',
  group: '',
}
/** Not filters: the sorting, and the open model's page. */
const NO_VIEW = { sort: 'name', model: '' }
/** Default until the platform's status is loaded. */
const QUOTA_PER_UNIT = 500_000

export default function PricingPage() {
  const { t } = useTranslation()
  const copy = useCopy()
  const { user } = useStore(session)
  const { data: status } = useStatus()
  const { list, details, ownGroup } = usePricing()
  const paging = usePaging()
  const { filters, setFilters, clear, filtered, count } = useFilters(NO_FILTERS)
  const view = useFilters(NO_VIEW)
  const sort = isSort(view.filters.sort) ? view.filters.sort : 'name'
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set())

  const groups = list.data?.groups ?? []
  const group = groupOf(groups, { chosen: filters.group, own: ownGroup })
  const { keyword, type, mine, provider, modality } = filters
  const found = useMemo(
    () =>
      list.data &&
      sorted(matching(list.data.prices, { keyword, type, mine, provider, modality }, group?.name ?? ''), sort),
    [list.data, keyword, type, mine, provider, modality, group?.name, sort],
  )
  const providers = useMemo(
    () => [...new Set(list.data?.prices.map(({ model_name }) => providerOf(model_name)))].filter(Boolean).sort(),
    [list.data],
  )
  const items = found?.slice((paging.page - 1) * paging.pageSize, paging.page * paging.pageSize) ?? []
  const quotaPerUnit = status?.quota_per_unit ?? QUOTA_PER_UNIT

  const columns = priceColumns(t, {
    group,
    groups,
    price: (row) => priceOf(row, { groupRatio: group?.ratio ?? 1, quotaPerUnit, detail: details?.get(row.model_name) }),
    onCopy: (model) => void copy(model),
    onOpen: (model) => view.setFilters({ model }),
    onChoose: (name) => setFilters({ group: name }),
    signedIn: user !== undefined,
  })

  const opened = list.data?.prices.find(({ model_name }) => model_name === view.filters.model)
  if (opened) {
    const { model_name } = opened
    return (
      <ModelPage
        row={opened}
        detail={details?.get(model_name)}
        groups={groups}
        group={group}
        quotaPerUnit={quotaPerUnit}
        signedIn={user !== undefined}
      />
    )
  }

  return (
    <Page title={t('screen.pricing')} extra={group && <GroupRatio group={group.name} ratio={group.ratio} />}>
      <Alert
        type="info"
        className="pricing-note"
        content={
          <>
            {user ? t('pricing.yourGroup', { group: ownGroup }) : t('pricing.visitor')}
            <br />
            {t('pricing.formula', { unit: quotaPerUnit })}
          </>
        }
      />
      <DataTable<ListedPrice>
        title={t('screen.pricing')}
        name="pricing"
        rowKey="model_name"
        columns={columns}
        listing={{ ...list, data: found && { items, total: found.length } }}
        paging={paging}
        selection={{ keys: [...selected], onChange: (keys) => setSelected(new Set(keys)), acrossPages: true }}
        allRows={async () => ({ rows: found ?? [], cut: false })}
        toolbar={
          <>
            <FilterBar
              fields={[{ name: 'keyword', label: t('pricing.search') }]}
              values={filters}
              count={count}
              onSearch={setFilters}
              onClear={filtered ? clear : undefined}
            >
              <Select
                className="pricing-group"
                value={group?.name ?? ''}
                aria-label={t('pricing.group')}
                onChange={(name: string) => setFilters({ group: name })}
              >
                {groups.map(({ name, desc, ratio }) => (
                  <Select.Option key={name} value={name}>
                    {desc === '' || desc === name ? name : t('pricing.groupOption', { name, desc })}{' '}
                    <GroupRatio ratio={ratio} />
                  </Select.Option>
                ))}
              </Select>
              <Select
                value={filters.type}
                aria-label={t('pricing.type')}
                onChange={(type: string) => setFilters({ type })}
                options={[
                  { value: '', label: t('pricing.anyType') },
                  { value: '0', label: t('pricing.byUsage') },
                  { value: '1', label: t('pricing.perCall') },
                ]}
              />
              <Select
                value={provider}
                aria-label={t('pricing.provider')}
                showSearch
                onChange={(provider: string) => setFilters({ provider })}
                options={[
                  { value: '', label: t('pricing.anyProvider') },
                  ...providers.map((name) => ({ value: name, label: name })),
                ]}
              />
              <Select
                value={modality}
                aria-label={t('pricing.modality')}
                onChange={(modality: string) => setFilters({ modality })}
                options={[
                  { value: '', label: t('pricing.anyModality') },
                  ...MODALITIES.map((name) => ({ value: name, label: t(`pricing.made.${name}`) })),
                ]}
              />
              <Select
                value={sort}
                aria-label={t('pricing.sort')}
                onChange={(sort: string) => view.setFilters({ sort })}
                options={SORTS.map((name) => ({ value: name, label: t(`pricing.sortBy.${name}`) }))}
              />
              <Checkbox checked={mine !== ''} onChange={(only) => setFilters({ mine: only ? 'yes' : '' })}>
                {t('pricing.onlyAvailable')}
              </Checkbox>
            </FilterBar>
            <Button
              icon={<IconCopy />}
              disabled={selected.size === 0}
              onClick={() => void copy([...selected].join(','))}
            >
              {selected.size > 0 ? t('pricing.copyCount', { count: selected.size }) : t('pricing.copySelected')}
            </Button>
          </>
        }
        empty={
          filtered ? (
            <EmptyState title={t('table.noMatch')} hint={t('table.noMatchHint')} />
          ) : (
            <EmptyState title={t('pricing.none')} hint={t('pricing.noneHint')} />
          )
        }
      />
    </Page>
  )
}
