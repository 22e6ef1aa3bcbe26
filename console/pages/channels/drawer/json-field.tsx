import Button from '@arco-design/web-react/es/Button'
import Form from '@arco-design/web-react/es/Form'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../components/form/field.tsx'
import { JsonEditor } from '../../../components/json-editor.tsx'
import { hasOnlyTexts, objectIn } from './json-object.ts'

interface Props {
  field: string
  label: string
  /** What is said of text that is no JSON object. */
  wrong: string
  hint: string
  /** What the button puts into an empty field. */
  example: string
  /** Each value of the object is a text. */
  texts?: boolean
}

/** A field of a form for the JSON text of an object, with an example to begin with. */
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
            const object = objectIn(text ?? '')
            callback(object && (!texts || hasOnlyTexts(object)) ? undefined : wrong)
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
