import Button from '@arco-design/web-react/es/Button'
import Form from '@arco-design/web-react/es/Form'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../components/form/field.tsx'
import { JsonEditor } from '../../../components/json-editor.tsx'
import { parseJsonObject } from '../../../components/json-text.ts'

interface Props {
  field: string
  label: string
  /** Error text for input that is not a JSON object. */
  wrong: string
  hint: string
  /** The placeholder, which the button also puts into the field. */
  example: string
  /** Requires each value of the object to be a string, as in mappings. */
  texts?: boolean
}

/** A form field for a JSON object, with an example. */
export function JsonField({ field, label, wrong, hint, example, texts = false }: Props) {
  const { t } = useTranslation()
  const { form } = Form.useFormContext()
  return (
    <Field
      label={label}
      field={field}
      rules={[
        {
          validator: (text: string | undefined, callback) => {
            const object = parseJsonObject(text ?? '')
            const isValid = object && (!texts || Object.values(object).every((value) => typeof value === 'string'))
            callback(isValid ? undefined : wrong)
          },
        },
      ]}
      extra={
        <span className="channel-form-hint">
          {hint}{' '}
          <Button
            size="mini"
            type="text"
            aria-label={`${t('channelForm.fillExample')}: ${label}`}
            onClick={() => form.setFieldValue(field, example)}
          >
            {t('channelForm.fillExample')}
          </Button>
        </span>
      }
    >
      <JsonEditor placeholder={example} />
    </Field>
  )
}
