import Button from '@arco-design/web-react/es/Button'
import { IconArrowLeft, IconCopy, IconPlayArrow } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { type ListedPrice, PER_CALL, type PriceDetail, type PriceGroup } from '../../api/pricing.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { CodeTabs } from '../../components/code-tabs.tsx'
import { useCopy } from '../../components/copy.tsx'
import { groupText } from '../../components/group-text.ts'
import { PageFrame } from '../../components/page.tsx'
import { useNavigate } from '../../router/hooks.ts'
import { Link } from '../../router/link.tsx'
import { contextText, modalityOf, providerOf } from './catalog.ts'
import { snippetsFor } from './model-snippets.ts'
import { formatPrice, type GroupPrice, modelPriceOf } from './prices.ts'

interface Props {
  row: ListedPrice
  detail: PriceDetail | undefined
  groups: readonly PriceGroup[]
  /** The group whose ratio the formula uses. */
  group: PriceGroup | undefined
  quotaPerUnit: number
  signedIn: boolean
}

/** The page of one model, with its price in each group, the formula of the price, and code examples. */
export function ModelPage({ row, detail, groups, group, quotaPerUnit, signedIn }: Props) {
  const { t } = useTranslation()
  const copy = useCopy()
  const navigate = useNavigate()
  const address = useBaseAddress()
  const { model_name: model } = row
  const modality = modalityOf(model)
  const servedGroups = groups.filter(({ name }) => row.enable_groups.includes(name))
  const snippets = snippetsFor(model, modality, address)
  const price = (ratio: number) => modelPriceOf(row, { groupRatio: ratio, quotaPerUnit, detail })
  const canChat = modality === 'text' && signedIn
  const facts = [
    [t('pricing.provider'), providerOf(model) || '–'],
    [t('pricing.modality'), t(`pricing.made.${modality}`)],
    [t('pricing.context'), contextText(row.context_window)],
    [t('pricing.type'), t(row.quota_type === PER_CALL ? 'pricing.perCall' : 'pricing.byUsage')],
  ] as const

  return (
    <PageFrame
      title={model}
      extra={
        <>
          <Button icon={<IconArrowLeft />} onClick={() => void navigate('/pricing')}>
            {t('pricing.back')}
          </Button>
          <Button icon={<IconCopy />} onClick={() => void copy(model)}>
            {t('pricing.copyName')}
          </Button>
          {canChat && (
            <Button
              type="primary"
              icon={<IconPlayArrow />}
              onClick={() => void navigate(`/playground?model=${encodeURIComponent(model)}`)}
            >
              {t('pricing.try')}
            </Button>
          )}
        </>
      }
    >
      <section className="panel" aria-label={t('pricing.facts')}>
        <dl className="model-facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="panel" aria-labelledby="model-prices">
        <h2 id="model-prices">{t('pricing.byGroup')}</h2>
        {servedGroups.length === 0 ? (
          <p className="panel-note">{t('pricing.no')}</p>
        ) : (
          <GroupPrices groups={servedGroups} perCall={row.quota_type === PER_CALL} price={price} />
        )}
        <p className="panel-note model-formula">
          {row.quota_type === PER_CALL
            ? t('pricing.formulaCall', { price: formatPrice(row.model_price), ratio: group?.ratio ?? 1 })
            : t('pricing.formulaUsage', {
                ratio: group?.ratio ?? 1,
                model: Number(row.model_ratio.toPrecision(10)),
                completion: Number(row.completion_ratio.toPrecision(10)),
                unit: quotaPerUnit,
              })}
        </p>
      </section>
      {snippets.length > 0 && (
        <section className="panel" aria-labelledby="model-snippets">
          <h2 id="model-snippets">{t('pricing.call2')}</h2>
          <CodeTabs tabs={snippets} lazyload destroyOnHide />
          {signedIn && (
            <p className="panel-note">
              <Link to="/token">{t('pricing.toKeys')}</Link>
            </p>
          )}
        </section>
      )}
    </PageFrame>
  )
}

interface GroupPricesProps {
  groups: readonly PriceGroup[]
  perCall: boolean
  price: (groupRatio: number) => GroupPrice
}

function GroupPrices({ groups, perCall, price }: GroupPricesProps) {
  const { t } = useTranslation()
  const amount = (dollars: number | undefined) => (dollars === undefined ? '–' : formatPrice(dollars))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard.
    <section className="scroll" aria-label={t('pricing.byGroup')} tabIndex={0}>
      <table className="model-groups">
        <thead>
          <tr>
            <th scope="col">{t('field.group')}</th>
            <th scope="col">{t('log.row.groupRatio')}</th>
            {perCall ? (
              <th scope="col">{t('pricing.call')}</th>
            ) : (
              <>
                <th scope="col">{t('pricing.promptMillion')}</th>
                <th scope="col">{t('pricing.completionMillion')}</th>
                <th scope="col">{t('pricing.cachedMillion')}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ name, desc, ratio }) => {
            const groupPrice = price(ratio)
            return (
              <tr key={name}>
                <th scope="row">{desc && desc !== name ? `${name} · ${groupText(t, desc)}` : name}</th>
                <td>{ratio}</td>
                {'perCall' in groupPrice ? (
                  <td>{amount(groupPrice.perCall)}</td>
                ) : (
                  <>
                    <td>{amount(groupPrice.prompt)}</td>
                    <td>{amount(groupPrice.completion)}</td>
                    <td>{amount(groupPrice.cached)}</td>
                  </>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
