/** The two reads that the bench is about, as expressions and as the SQL that tells what is right. */

export const POINT_READ = 'Products.filter(p=>p.id==id)';

export const ORDERS_WITH_DETAILS =
  'Orders.filter(p=>p.customerId==customerId).include(p=>p.details)';

export const INSERT = 'Orders.insert()';

/** The product `$1` as a JSON list. */
export const POINT_READ_JSON = `
  SELECT json_build_array(json_build_object('id', ProductID, 'name', ProductName,
    'supplierId', SupplierID, 'categoryId', CategoryID, 'quantity', QuantityPerUnit,
    'price', UnitPrice, 'inStock', UnitsInStock, 'onOrder', UnitsOnOrder,
    'reorderLevel', ReorderLevel, 'discontinued', Discontinued)) AS json
  FROM Products WHERE ProductID = $1`;

const MOMENT = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const ORDER_FIELDS = `'id', o.OrderID, 'customerId', o.CustomerID,
    'employeeId', o.EmployeeID, 'orderDate', to_char(o.OrderDate, ${MOMENT}),
    'requiredDate', to_char(o.RequiredDate::timestamp, ${MOMENT}),
    'shippedDate', to_char(o.ShippedDate::timestamp, ${MOMENT}), 'shipViaId', o.ShipVia,
    'freight', o.Freight, 'name', o.ShipName, 'address', o.ShipAddress, 'city', o.ShipCity,
    'region', o.ShipRegion, 'postalCode', o.ShipPostalCode, 'country', o.ShipCountry`;

/** All orders, as one JSON value each, in no order. */
export const ORDERS_JSON = `SELECT json_build_object(${ORDER_FIELDS}) AS json FROM Orders o`;

/** The orders of the customer `$1`, each with its details, as a JSON list, by id. */
export const ORDERS_WITH_DETAILS_JSON = `
  SELECT json_agg(json_build_object(${ORDER_FIELDS},
    'details', (
      SELECT json_agg(json_build_object('orderId', d.OrderID, 'productId', d.ProductID,
        'unitPrice', d.UnitPrice, 'quantity', d.Quantity, 'discount', d.Discount)
        ORDER BY d.ProductID)
      FROM "Order Details" d WHERE d.OrderID = o.OrderID)) ORDER BY o.OrderID) AS json
  FROM Orders o WHERE o.CustomerID = $1`;
