/**
 * The configuration of GraphQL Code Generator. Documents are in the components that need their data; the generated
 * function `graphql` gives each of them its type, and a component sees only the fields of its own fragments.
 *
 * @param {string} gateway the origin of a running gateway
 * @returns {import('@graphql-codegen/cli').CodegenConfig}
 */
export const codegen = (gateway) => ({
  schema: `${gateway}/graphql`,
  documents: ['src/**/*.{ts,tsx}', '!src/gql/**'],
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: { unmaskFunctionName: 'readFragment' } },
      config: {
        scalars: { ID: 'string', Time: 'string', Date: 'string', Int64: 'string' },
        useTypeImports: true,
        nonOptionalTypename: true, // Apollo Client selects it
        skipTypeNameForRoot: true,
      },
    },
  },
});
