import Checkbox from '@arco-design/web-react/es/Checkbox'
import Select from '@arco-design/web-react/es/Select'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedPrice, PriceGroup } from '../../api/pricing.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { GroupRatio } from '../../components/group-ratio.tsx'
import { groupText } from '../../components/group-text.ts'
import type { FilterState } from '../../components/paging.ts'
import { MODALITIES, providerOf } from './catalog.ts'
import { type PriceFilters, SORTS } from './prices.ts'

export type PricingFilters = PriceFilters & { group: string }

interface Props {
  state: FilterState<PricingFilters>
  prices: readonly ListedPrice[]
  groups: readonly PriceGroup[]
  /** The group whose prices are shown. */
  group: PriceGroup | undefined
  sort: string
  onSort: (sort: string) => void
}

export function PriceFilterBar({ state, prices, groups, group, sort, onSort }: Props) {
  const { t } = useTranslation()
  const { filters, setFilters, bar } = state
  const providers = useMemo(
    () => [...new Set(prices.map(({ model_name }) => providerOf(model_name)))].filter(Boolean).sort(),
    [prices],
  )
  return (
    <FilterBar fields={[{ name: 'keyword', label: t('pricing.search') }]} {...bar}>
      <Select
        className="pricing-group"
        value={group?.name ?? ''}
        aria-label={t('field.group')}
        onChange={(name: string) => setFilters({ group: name })}
      >
        {groups.map(({ name, desc, ratio }) => (
          <Select.Option key={name} value={name}>
            {desc === '' || desc === name ? name : t('pricing.groupOption', { name, desc: groupText(t, desc) })}{' '}
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
        value={filters.provider}
        aria-label={t('pricing.provider')}
        showSearch
        onChange={(provider: string) => setFilters({ provider })}
        options={[
          { value: '', label: t('pricing.anyProvider') },
          ...providers.map((name) => ({ value: name, label: name })),
        ]}
      />
      <Select
        value={filters.modality}
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
        onChange={onSort}
        options={SORTS.map((name) => ({ value: name, label: t(`pricing.sortBy.${name}`) }))}
      />
      <Checkbox checked={filters.mine !== ''} onChange={(only) => setFilters({ mine: only ? 'yes' : '' })}>
        {t('pricing.onlyAvailable')}
      </Checkbox>
    </FilterBar>
  )
}
