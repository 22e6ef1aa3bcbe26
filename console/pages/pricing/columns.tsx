import Button from '@arco-design/web-react/es/Button'
import Tag from '@arco-design/web-react/es/Tag'
import { IconCheckCircleFill, IconCloseCircleFill, IconCopy } from '@arco-design/web-react/icon'
import type { TFunction } from 'i18next'
import { type ListedPrice, PER_CALL, type PriceGroup } from '../../api/pricing.ts'
import type { TableColumn } from '../../components/data-table/column.ts'
import { textColumn } from '../../components/data-table/columns.tsx'
import { contextText, modalityOf, providerOf } from './catalog.ts'
import { formatPrice, type GroupPrice } from './prices.ts'

interface ColumnContext {
  group: PriceGroup | undefined
  groups: readonly PriceGroup[]
  price: (row: ListedPrice) => GroupPrice
  onCopy: (model: string) => void
  /** Opens the model's page. */
  onOpen: (model: string) => void
  onChoose: (group: string) => void
  signedIn: boolean
}

export function pricingColumns(t: TFunction, context: ColumnContext): TableColumn<ListedPrice>[] {
  return [...modelColumns(t, context), ...kindColumns(t), ...amountColumns(t, context), ...groupColumns(t, context)]
}

function modelColumns(t: TFunction, { group, onCopy, onOpen }: ColumnContext): TableColumn<ListedPrice>[] {
  const isMine = ({ enable_groups }: ListedPrice) => group !== undefined && enable_groups.includes(group.name)
  return [
    {
      key: 'available',
      width: 64,
      title: t('pricing.available'),
      align: 'center',
      render: (row) =>
        isMine(row) ? (
          <span role="img" className="price-yes" aria-label={t('pricing.yes')} title={t('pricing.yes')}>
            <IconCheckCircleFill />
          </span>
        ) : (
          <span role="img" className="price-no" aria-label={t('pricing.no')} title={t('pricing.no')}>
            <IconCloseCircleFill />
          </span>
        ),
      value: isMine,
    },
    {
      key: 'model_name',
      width: 200,
      fixed: 'left',
      early: true,
      title: t('pricing.model'),
      render: ({ model_name }) => (
        <Button
          size="mini"
          type="text"
          className="price-model"
          title={t('pricing.openModel', { model: model_name })}
          onClick={() => onOpen(model_name)}
        >
          {model_name}
        </Button>
      ),
      value: ({ model_name }) => model_name,
    },
    {
      key: 'copy',
      title: t('action.copy'),
      width: 64,
      align: 'center',
      rank: 1,
      render: ({ model_name }) => (
        <Button
          size="mini"
          type="text"
          icon={<IconCopy />}
          aria-label={t('pricing.copyModel', { model: model_name })}
          title={t('pricing.copyModel', { model: model_name })}
          onClick={() => onCopy(model_name)}
        />
      ),
    },
  ]
}

function kindColumns(t: TFunction): TableColumn<ListedPrice>[] {
  const typeOf = ({ quota_type }: ListedPrice) => t(quota_type === PER_CALL ? 'pricing.perCall' : 'pricing.byUsage')
  return [
    textColumn({ key: 'provider', title: t('pricing.provider'), wideOnly: true }, (row) => providerOf(row.model_name)),
    {
      key: 'modality',
      title: t('pricing.modality'),
      wideOnly: true,
      value: ({ model_name }) => t(`pricing.made.${modalityOf(model_name)}`),
    },
    {
      key: 'context',
      title: t('pricing.context'),
      align: 'right',
      wideOnly: true,
      render: ({ context_window }) => <span className="number">{contextText(context_window)}</span>,
      value: ({ context_window }) => context_window || '',
    },
    {
      key: 'quota_type',
      width: 80,
      rank: 0.8,
      title: t('pricing.type'),
      render: (row) => (
        <Tag size="small" color={row.quota_type === PER_CALL ? 'cyan' : 'purple'}>
          {typeOf(row)}
        </Tag>
      ),
      value: typeOf,
    },
  ]
}

function amountColumns(t: TFunction, { price, signedIn }: ColumnContext): TableColumn<ListedPrice>[] {
  const amount = (of: Part, column: Pick<TableColumn<never>, 'key' | 'title' | 'width' | 'early' | 'wideOnly'>) => ({
    ...column,
    align: 'right' as const,
    render: (row: ListedPrice) => <Amount price={price(row)} of={of} t={t} />,
    value: (row: ListedPrice) => plainAmount(price(row), of),
  })
  return [
    amount('prompt', { key: 'prompt', width: 120, early: true, title: t('pricing.prompt') }),
    amount('completion', { key: 'completion', width: 120, early: true, title: t('pricing.completion') }),
    ...(signedIn ? [amount('cached', { key: 'cached', width: 110, title: t('pricing.cached'), wideOnly: true })] : []),
    amount('perCall', { key: 'per_call', width: 110, early: true, title: t('pricing.call') }),
  ]
}

function groupColumns(t: TFunction, { group, groups, onChoose }: ColumnContext): TableColumn<ListedPrice>[] {
  const ratio = group?.ratio ?? 1
  return [
    {
      key: 'ratio',
      width: 120,
      title: t('pricing.ratio'),
      // The ratios explain the price, so a narrow table hides modality and context earlier.
      rank: 4,
      render: ({ quota_type, model_ratio, completion_ratio }) =>
        quota_type === PER_CALL ? (
          '–'
        ) : (
          <span className="price-ratios number">
            <span>{t('pricing.modelRatio', { ratio: Number(model_ratio.toFixed(6)) })}</span>
            <span>{t('pricing.completionRatio', { ratio: Number(completion_ratio.toFixed(3)) })}</span>
            <span>{t('pricing.groupRatio', { ratio })}</span>
          </span>
        ),
      value: ({ model_ratio }) => model_ratio,
    },
    {
      key: 'groups',
      width: 150,
      rank: 0.9,
      grow: true,
      title: t('pricing.groups'),
      render: ({ enable_groups }) => (
        <span className="price-groups">
          {groups
            .filter(({ name }) => enable_groups.includes(name))
            .map(({ name }) => (
              <Button
                key={name}
                size="mini"
                type={name === group?.name ? 'outline' : 'secondary'}
                aria-pressed={name === group?.name}
                onClick={() => onChoose(name)}
              >
                {name}
              </Button>
            ))}
        </span>
      ),
      value: ({ enable_groups }) => enable_groups.join(' '),
    },
  ]
}

type Part = 'prompt' | 'completion' | 'cached' | 'perCall'

function amountOf(price: GroupPrice, part: Part): number | undefined {
  if ('perCall' in price) return part === 'perCall' ? price.perCall : undefined
  return part === 'perCall' ? undefined : price[part]
}

const plainAmount = (price: GroupPrice, part: Part): number | string => amountOf(price, part) ?? ''

function Amount({ price, of, t }: { price: GroupPrice; of: Part; t: TFunction }) {
  const dollars = amountOf(price, of)
  if (dollars === undefined) return '–'
  return (
    <span className="number">
      {formatPrice(dollars)} <small>{t(of === 'perCall' ? 'pricing.eachCall' : 'pricing.eachMillion')}</small>
    </span>
  )
}
