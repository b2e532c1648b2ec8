// dynamodb-toolbox 1 and the API write to one table.
import * as library from 'dynamodb-toolbox-1';
import { roundTrips } from './roundtrip.mjs';
import { clockAttributes, foreignIn, open, table, types } from './toolbox/pokemon.mjs';

roundTrips('dynamodb-toolbox 1', { folder: 'toolbox', table, types, clockAttributes, foreignIn, open: open(library, library.schema) });
