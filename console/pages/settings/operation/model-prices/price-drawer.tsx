import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../../components/form/field.tsx'
import { FormDrawer } from '../../../../components/form/form-drawer.tsx'
import { type PriceRow, parsePriceNumber, pricesPerMillion } from './price-rows.ts'

/** The texts of the fields. */
interface PriceForm {
  name: string
  price: string
  ratio: string
  completionRatio: string
}

interface Props {
  /** The row to edit or `'new'`; undefined closes the drawer. */
  row: PriceRow | 'new' | undefined
  /** Names of the models that already have a row. */
  usedNames: ReadonlySet<string>
  /** Returns the completion ratio that billing uses if the model has no ratio of its own; undefined if unknown. */
  billed: (name: string) => number | undefined
  /** Quota for one dollar. */
  quotaPerUnit: number
  onClose: () => void
  onSubmit: (row: PriceRow) => void
}

/** A form for the price of one model. A fixed price replaces the ratios. */
export function PriceDrawer({ row, usedNames, billed, quotaPerUnit, onClose, onSubmit }: Props) {
  const { t } = useTranslation()
  const [form] = Form.useForm<PriceForm>()
  const name = Form.useWatch('name', form) ?? ''
  const texts = {
    price: Form.useWatch('price', form) ?? '',
    ratio: Form.useWatch('ratio', form) ?? '',
    completionRatio: Form.useWatch('completionRatio', form) ?? '',
  }
  const isNew = row === 'new'
  const fixed = texts.price !== ''
  const ratio = parsePriceNumber(texts.ratio)
  const completionRatio = parsePriceNumber(texts.completionRatio) ?? billed(name)
  const prices = ratio !== undefined && pricesPerMillion({ ratio, completionRatio, quotaPerUnit })
  const isNumber = (text: string | undefined, callback: (problem?: string) => void) =>
    callback(text && parsePriceNumber(text) === undefined ? t('option.badNumber') : undefined)

  return (
    <FormDrawer<PriceForm>
      title={row === undefined || isNew ? t('operation.addModel') : t('operation.editModel', { name: row.name })}
      visible={row !== undefined}
      form={form}
      initialValues={formOf(row)}
      submitText={t('action.confirm')}
      onClose={onClose}
      onSubmit={async (values) => onSubmit(rowOf(values))}
    >
      <Field
        label={t('pricing.model')}
        field="name"
        disabled={!isNew}
        rules={[
          {
            validator: (name: string | undefined, callback) => {
              if (!name?.trim()) callback(t('operation.nameMissing'))
              else callback(isNew && usedNames.has(name.trim()) ? t('operation.nameTaken') : undefined)
            },
          },
        ]}
      >
        <Input autoFocus={isNew} placeholder="gpt-4o" />
      </Field>
      <Field
        label={t('operation.fixedPrice')}
        field="price"
        extra={t('operation.fixedPriceHint')}
        rules={[{ validator: isNumber }]}
      >
        <Input addAfter={t('operation.perCall')} autoFocus={!isNew} />
      </Field>
      <Field
        label={t('log.row.modelRatio')}
        field="ratio"
        disabled={fixed}
        dependencies={['price']}
        rules={[
          {
            validator: (text: string | undefined, callback) => {
              if (fixed) callback()
              else if (text) isNumber(text, callback)
              else callback(t('operation.priceOrRatio'))
            },
          },
        ]}
        {...(prices && !fixed && { extra: t('operation.priceHint', prices) })}
      >
        <Input />
      </Field>
      <Field
        label={t('log.row.completionRatio')}
        field="completionRatio"
        disabled={fixed}
        rules={[{ validator: isNumber }]}
      >
        <Input />
      </Field>
    </FormDrawer>
  )
}

function formOf(row: PriceRow | 'new' | undefined): PriceForm {
  const { name, price, ratio, completionRatio } = row === undefined || row === 'new' ? { name: '' } : row
  const textOf = (value: number | undefined) => (value === undefined ? '' : String(value))
  return { name, price: textOf(price), ratio: textOf(ratio), completionRatio: textOf(completionRatio) }
}

/** Returns the row for the input. A fixed price clears the ratios, so they do not apply after its removal. */
function rowOf({ name, price, ratio, completionRatio }: PriceForm): PriceRow {
  const fixed = parsePriceNumber(price)
  const values =
    fixed === undefined
      ? { ratio: parsePriceNumber(ratio), completionRatio: parsePriceNumber(completionRatio) }
      : { price: fixed }
  const filled = Object.entries(values).filter(([, value]) => value !== undefined)
  return { name: name.trim(), ...Object.fromEntries(filled) }
}
