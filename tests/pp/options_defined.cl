// options: -Ddefined -Udefined -DA(x=2
